import Platform

exit(Program.run(ProgramFile.words))
