// The least of ONNX's protobuf that a network which enlarges pictures takes: https://onnx.ai/onnx/intro/concepts.html.

const varint = (value: number): number[] => (value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)]);
const number = (field: number, value: number): number[] => [...varint(field << 3), ...varint(value)];
const bytes = (field: number, value: Iterable<number>): number[] => {
  const all = [...value];
  return [...varint((field << 3) | 2), ...varint(all.length), ...all];
};
const text = (field: number, value: string): number[] => bytes(field, new TextEncoder().encode(value));
const floats = (values: readonly number[]): Uint8Array => new Uint8Array(Float32Array.from(values).buffer);

const FLOAT = 1;
const STRING = 3;

/** A side: a number, or a name where any will do. */
type Side = number | string;

const sideOf = (side: Side): number[] => bytes(1, typeof side === 'number' ? number(1, side) : text(2, side));
const valueInfo = (name: string, sides: readonly Side[]): number[] => {
  const tensor = [...number(1, FLOAT), ...bytes(2, sides.flatMap(sideOf))];
  return [...text(1, name), ...bytes(2, bytes(1, tensor))];
};
const attribute = (name: string, value: string): number[] =>
  bytes(5, [...text(1, name), ...text(4, value), ...number(20, STRING)]);

export interface EnlargingModel {
  readonly scale: number;
  readonly channels?: number;
  /** Any, where left out. */
  readonly sides?: readonly [height: number, width: number];
}

/** A model file: pixels become squares of `scale` by `scale`. */
export function writeEnlargingModel({ scale, channels = 3, sides }: EnlargingModel): Uint8Array {
  const [height, width] = sides ?? ['height', 'width'];
  const node = [
    ...['input', '', 'scales'].flatMap((name) => text(1, name)),
    ...text(2, 'output'),
    ...text(4, 'Resize'),
    ...attribute('mode', 'nearest'),
    ...attribute('coordinate_transformation_mode', 'asymmetric'),
    ...attribute('nearest_mode', 'floor'),
  ];
  const scales = [
    ...number(1, 4),
    ...number(2, FLOAT),
    ...text(8, 'scales'),
    ...bytes(9, floats([1, 1, scale, scale])),
  ];
  const graph = [
    ...bytes(1, node),
    ...text(2, 'enlarge'),
    ...bytes(5, scales),
    ...bytes(11, valueInfo('input', [1, channels, height as Side, width as Side])),
    ...bytes(12, valueInfo('output', [1, channels, 'height2', 'width2'])),
  ];
  return Uint8Array.from([...number(1, 8), ...bytes(7, graph), ...bytes(8, [...text(1, ''), ...number(2, 13)])]);
}
