/* Nothing is called from here: linking start.c in is all that there is to do with it. */
