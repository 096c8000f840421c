/** One fenced block of Markdown. */
export interface CodeBlock {
  readonly language: string;
  /** What follows the language: `plugins/txt/index.ts`. */
  readonly name: string;
  readonly text: string;
  /** 1 for the first line of the file. */
  readonly line: number;
  /** The `text` block right after it: what it prints. */
  readonly prints: string | undefined;
}

/** The fenced blocks of a page; a `text` block that directly follows another is what that one prints. */
export function codeBlocksOf(markdown: string): readonly CodeBlock[] {
  const found: { block: CodeBlock; ends: number }[] = [];
  const lines = markdown.split('\n');
  for (let at = 0; at < lines.length; at++) {
    const fence = /^```(\S*)\s*(.*)$/.exec(lines[at] as string);
    if (fence === null) continue;
    const start = at + 1;
    const body: string[] = [];
    for (at++; at < lines.length && lines[at] !== '```'; at++) body.push(lines[at] as string);
    const block: CodeBlock = {
      language: fence[1] as string,
      name: (fence[2] as string).trim(),
      text: `${body.join('\n')}\n`,
      line: start,
      prints: undefined,
    };
    const before = found.at(-1);
    const between = before === undefined ? ['x'] : lines.slice(before.ends, start - 1);
    if (block.language === 'text' && before !== undefined && between.every((line) => line.trim() === ''))
      found[found.length - 1] = { block: { ...before.block, prints: block.text }, ends: at + 1 };
    else found.push({ block, ends: at + 1 });
  }
  return found.map(({ block }) => block);
}

/** What was printed, held against what the page says: `…` stands for anything in a line, and alone for any lines. */
export function printedAs(expected: string): RegExp {
  const lines = expected.trim().split('\n');
  const parts = lines.map((line) => {
    if (line.trim() === '…') return '(?:[^\\n]*\\n)*?';
    const literal = line.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    return `${literal.join('[^\\n]*?')}\\s*?\\n`;
  });
  return new RegExp(`^${parts.join('')}$`);
}
