// A driver of no SDK: its program ends before it is ready.
process.stderr.write("no license\n");
process.exit(3);
