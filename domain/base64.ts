const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const CODES = Uint8Array.from(ALPHABET, (letter) => letter.charCodeAt(0));
const PAD = 61;
/** An argument list has a limit; a multiple of four letters. */
const PIECE = 4096;

/** Bytes as base64 text, padded. */
export function toBase64(bytes: Uint8Array): string {
  const letters = new Uint8Array(Math.ceil(bytes.length / 3) * 4);
  let at = 0;
  for (let i = 0; i < bytes.length; i += 3) {
    const word = (bytes[i]! << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    letters[at++] = CODES[word >> 18]!;
    letters[at++] = CODES[(word >> 12) & 63]!;
    letters[at++] = i + 1 < bytes.length ? CODES[(word >> 6) & 63]! : PAD;
    letters[at++] = i + 2 < bytes.length ? CODES[word & 63]! : PAD;
  }
  let text = '';
  for (let from = 0; from < letters.length; from += PIECE)
    text += String.fromCharCode.apply(null, letters.subarray(from, from + PIECE) as unknown as number[]);
  return text;
}
