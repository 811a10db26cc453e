/** A typed client for the program oauth-stdio. */
export * from "./client.js";
export * from "./generated.js";
