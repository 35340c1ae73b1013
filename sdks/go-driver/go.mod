module assay/sdks/go-driver

go 1.24
