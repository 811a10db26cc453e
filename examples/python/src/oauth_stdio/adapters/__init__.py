"""The classes behind `Login`. Each module imports the library that it serves."""
