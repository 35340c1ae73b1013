module assay/sdks/go

go 1.24
