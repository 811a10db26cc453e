/// The schemas that `--schema=NAME` prints and that the folder `schemas` contains.
package enum SchemaName: String, CaseIterable { case openrpc, config, provider }
