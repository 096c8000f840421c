/** Writes TypeScript types of the schemas of an OpenAPI 3.1 document, for the client. */

type Schema = Readonly<Record<string, unknown>>;

const HEAD = `/**
 * The bodies of the API, made of its description: \`burin openapi --types > adapters/client/api-types.ts\`.
 * A test holds both equal.
 */
`;

/** `ExportOptions.svg` is `ExportOptionsSvg`. */
const typeName = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');

const propertyName = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`);

const literal = (value: unknown) =>
  typeof value === 'string' ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'` : JSON.stringify(value);

const union = (types: readonly string[]): string => [...new Set(types)].join(' | ');
const inArray = (type: string) => (/[|&]/.test(type) ? `(${type})` : type);

/** Schemas that only say which properties must be there together; TypeScript cannot say it as shortly. */
const onlyRequires = (schema: Schema) => Object.keys(schema).every((key) => key === 'required');

function objectType(schema: Schema, indent: string): string {
  const {
    properties = {},
    required = [],
    additionalProperties,
    patternProperties,
  } = schema as {
    properties?: Readonly<Record<string, Schema>>;
    required?: readonly string[];
    additionalProperties?: boolean | Schema;
    patternProperties?: Readonly<Record<string, Schema>>;
  };
  const inner = `${indent}  `;
  const lines = Object.entries(properties).flatMap(([name, property]) => {
    const described = property.description;
    const comment = typeof described === 'string' ? [`${inner}/** ${described.replaceAll('*/', '* /')} */`] : [];
    const optional = required.includes(name) ? '' : '?';
    const or = optional === '?' ? ' | undefined' : '';
    return [...comment, `${inner}readonly ${propertyName(name)}${optional}: ${typeOf(property, inner)}${or};`];
  });
  const others =
    Object.values(patternProperties ?? {})[0] ??
    (typeof additionalProperties === 'object' ? additionalProperties : undefined);
  if (lines.length === 0)
    return `Readonly<Record<string, ${others === undefined ? 'unknown' : typeOf(others, indent)}>>`;
  return `{\n${lines.join('\n')}\n${indent}}`;
}

/** The TypeScript type of a schema, for use behind `indent`. */
function typeOf(schema: Schema, indent: string): string {
  const { $ref, anyOf, oneOf, allOf, type, items, contentMediaType } = schema as {
    $ref?: string;
    anyOf?: readonly Schema[];
    oneOf?: readonly Schema[];
    allOf?: readonly Schema[];
    type?: string | readonly string[];
    items?: Schema;
    contentMediaType?: string;
  };
  if ($ref !== undefined) return typeName($ref.slice($ref.lastIndexOf('/') + 1));
  if ('const' in schema) return literal(schema.const);
  if (Array.isArray(schema.enum)) return union(schema.enum.map(literal));
  const either = (anyOf ?? oneOf)?.filter((one) => !onlyRequires(one)) ?? [];
  if (either.length > 0) return union(either.map((one) => typeOf(one, indent)));
  if (allOf !== undefined) return allOf.map((one) => inArray(typeOf(one, indent))).join(' & ');
  if (Array.isArray(type)) return union(type.map((one: string) => typeOf({ ...schema, type: one }, indent)));
  if (contentMediaType !== undefined) return 'Blob';
  switch (type) {
    case 'string':
      return 'string';
    case 'number':
    case 'integer':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'null':
      return 'null';
    case 'array':
      return `readonly ${inArray(typeOf(items ?? {}, indent))}[]`;
    case 'object':
      return objectType(schema, indent);
    default:
      return 'unknown';
  }
}

/** The text of a module with a type for every schema of the document, in its order. */
export function apiTypesOf(document: Readonly<Record<string, unknown>>): string {
  const { schemas } = document.components as { readonly schemas: Readonly<Record<string, Schema>> };
  const types = Object.entries(schemas).map(([name, schema]) => {
    const text = typeOf(schema, '');
    const comment = typeof schema.description === 'string' ? `/** ${schema.description} */\n` : '';
    return text.startsWith('{')
      ? `${comment}export interface ${typeName(name)} ${text}\n`
      : `${comment}export type ${typeName(name)} = ${text};\n`;
  });
  return `${HEAD}\n${types.join('\n')}`;
}
