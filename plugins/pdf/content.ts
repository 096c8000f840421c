import type PDFDocument from 'pdfkit';
import { formatNumber } from '#domain/drawing/path-data.js';

export type PdfRef = ReturnType<InstanceType<typeof PDFDocument>['ref']>;
type ResourceKind = 'ExtGState' | 'Pattern' | 'Properties' | 'Shading' | 'XObject';

/** The operators of one stream, and the resources that they name. */
export class Content {
  readonly #decimals: number;
  readonly #parts: string[] = [];
  readonly #resources = new Map<ResourceKind, Map<PdfRef, string>>();

  constructor(decimals: number) {
    this.#decimals = decimals;
  }

  /** Coordinates and lengths, then the operator. */
  put(operator: string, ...numbers: readonly number[]): void {
    for (const value of numbers) this.#parts.push(formatNumber(value, this.#decimals), ' ');
    this.#parts.push(operator, '\n');
  }

  /** Operands that are text already. */
  text(line: string): void {
    this.#parts.push(line, '\n');
  }

  /** The name under which the stream can use the object. */
  use(kind: ResourceKind, object: PdfRef): string {
    const known = this.#resources.get(kind) ?? new Map<PdfRef, string>();
    this.#resources.set(kind, known);
    const name = known.get(object) ?? `${kind[0]}${known.size + 1}`;
    known.set(object, name);
    return `/${name}`;
  }

  resources(): Readonly<Record<string, unknown>> {
    const kinds = [...this.#resources].map(([kind, names]) => [
      kind,
      Object.fromEntries([...names].map(([object, name]) => [name, object])),
    ]);
    return Object.fromEntries(kinds);
  }

  stream(): string {
    return this.#parts.join('');
  }
}
