/** 64 lower-case hexadecimal digits (SHA-256), equal for equal bytes and different for others. */
export type Digest = (bytes: Uint8Array) => string;
