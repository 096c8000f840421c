/**
 * A copy with some bytes changed, cut off, doubled or taken out. Half of the changes fall into the first 160 bytes, where
 * headers are. `random` gives numbers from 0 up to 1.
 */
export function mutateBytes(bytes: Uint8Array, random: () => number): Uint8Array {
  const below = (limit: number) => Math.floor(random() * limit);
  const position = () => below(random() < 0.5 ? Math.min(160, bytes.length) : bytes.length);
  let mutated = Uint8Array.from(bytes);
  for (let changes = 1 + below(4); changes > 0; changes--) {
    const at = position();
    switch (below(6)) {
      case 0:
      case 1:
        mutated[at] = below(256);
        break;
      case 2:
        mutated[at] = [0, 1, 0x7f, 0x80, 0xff][below(5)] ?? 0;
        break;
      case 3:
        mutated[at] = (mutated[at] ?? 0) ^ (1 << below(8));
        break;
      case 4:
        mutated = mutated.slice(0, Math.max(1, mutated.length - below(mutated.length)));
        break;
      default: {
        const piece = mutated.subarray(at, at + 1 + below(8));
        const rest = mutated.subarray(random() < 0.5 ? at : at + piece.length);
        mutated = Uint8Array.from([...mutated.subarray(0, at), ...(random() < 0.5 ? piece : []), ...rest]);
      }
    }
  }
  return mutated;
}
