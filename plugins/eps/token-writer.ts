import { formatNumber } from '#domain/drawing/path-data.js';

/** DSC allows 255 characters in a line. */
const MAX_LINE = 240;

/** PostScript tokens in lines of a length that every reader takes. */
export class TokenWriter {
  readonly #parts: string[] = [];
  readonly #decimals: number;
  #lineLength = 0;

  constructor(decimals: number) {
    this.#decimals = decimals;
  }

  /** A line of its own, such as a comment. */
  line(text: string): void {
    this.endLine();
    this.#parts.push(text, '\n');
  }

  endLine(): void {
    if (this.#lineLength > 0) this.#parts.push('\n');
    this.#lineLength = 0;
  }

  /** Coordinates and lengths, then the operator. */
  put(operator: string, ...numbers: readonly number[]): void {
    for (const value of numbers) this.token(formatNumber(value, this.#decimals));
    this.token(operator);
  }

  token(text: string): void {
    if (this.#lineLength > 0 && this.#lineLength + text.length + 1 > MAX_LINE) this.endLine();
    if (this.#lineLength > 0) {
      this.#parts.push(' ');
      this.#lineLength++;
    }
    this.#parts.push(text);
    this.#lineLength += text.length;
  }

  text(): string {
    this.endLine();
    return this.#parts.join('');
  }
}
