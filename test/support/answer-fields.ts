/** A JSON schema, as far as it says which fields a body has. */
interface Schema {
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
}

const inside = (at: string, name: string) => (at === '' ? name : `${at}.${name}`);
const unique = (names: readonly string[]) => [...new Set(names)];

/** Every field that a schema has, as `a`, `a.b`, `list[].c`, and `map.*.d` where the names are open. */
export function fieldsOfSchema(schema: Schema, at = ''): readonly string[] {
  const { anyOf, items, properties, patternProperties } = schema;
  if (anyOf) return unique(anyOf.flatMap((one) => fieldsOfSchema(one, at)));
  if (items) return fieldsOfSchema(items, `${at}[]`);
  if (properties)
    return Object.entries(properties).flatMap(([name, inner]) => [
      inside(at, name),
      ...fieldsOfSchema(inner, inside(at, name)),
    ]);
  if (patternProperties) return Object.values(patternProperties).flatMap((inner) => fieldsOfSchema(inner, `${at}.*`));
  return [];
}

/** Every field that a body has, in the same form; `maps` are those whose names are open. */
export function fieldsOfValue(value: unknown, maps: readonly string[], at = ''): readonly string[] {
  if (Array.isArray(value)) return unique(value.flatMap((one) => fieldsOfValue(one, maps, `${at}[]`)));
  if (typeof value !== 'object' || value === null) return [];
  if (maps.includes(at)) return unique(Object.values(value).flatMap((one) => fieldsOfValue(one, maps, `${at}.*`)));
  return unique(
    Object.entries(value).flatMap(([name, inner]) => [
      inside(at, name),
      ...fieldsOfValue(inner, maps, inside(at, name)),
    ]),
  );
}
