/** The parameters of a conversion: the table, the check of what was sent, and the JSON schema for other people's tools. */
export * from './parse-settings.js';
export * from './settings-schema.js';
export * from './settings-table.js';
