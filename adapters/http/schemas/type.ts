import type TypeBox from 'typebox';

/**
 * JSON schemas in typebox's words and with its types, made by these few lines: its own are hundreds of modules, which a service
 * would load at every start to write down plain objects.
 */

export type { Static, TSchema } from 'typebox';

type Words =
  | 'Array'
  | 'Boolean'
  | 'Enum'
  | 'Integer'
  | 'Literal'
  | 'Null'
  | 'Number'
  | 'Object'
  | 'Optional'
  | 'Record'
  | 'String'
  | 'Union'
  | 'Unknown';
type Schema = object;
type Options = object | undefined;

/** Schemas that `Optional` has made: an object does not require them. */
const optional = new WeakSet<Schema>();

const plain = (type: string) => (options?: Options) => ({ type, ...options });

const Type = {
  Array: (items: Schema, options?: Options) => ({ type: 'array', items, ...options }),
  Boolean: plain('boolean'),
  Enum: (values: readonly unknown[], options?: Options) => ({ enum: values, ...options }),
  Integer: plain('integer'),
  Literal: (value: string | number | boolean, options?: Options) => ({
    type: typeof value,
    const: value,
    ...options,
  }),
  Null: plain('null'),
  Number: plain('number'),
  Object: (properties: Readonly<Record<string, Schema>>, options?: Options) => {
    const required = Object.keys(properties).filter((name) => !optional.has(properties[name] as Schema));
    return { type: 'object', ...(required.length > 0 && { required }), properties, ...options };
  },
  Optional: (schema: Schema) => {
    const copy = { ...schema };
    optional.add(copy);
    return copy;
  },
  /** Of any names: `keys` is typebox's String. */
  Record: (_keys: Schema, values: Schema, options?: Options) => ({
    type: 'object',
    patternProperties: { '^.*$': values },
    ...options,
  }),
  String: plain('string'),
  Union: (anyOf: readonly Schema[], options?: Options) => ({ anyOf, ...options }),
  Unknown: (options?: Options) => ({ ...options }),
};

export default Type as unknown as Pick<typeof TypeBox, Words>;
