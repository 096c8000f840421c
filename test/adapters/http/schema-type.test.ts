import { expect } from 'chai';
import TypeBox from 'typebox';
import Type from '#adapters/http/schemas/type.js';

describe('the words of our schemas', () => {
  const made = (by: typeof Type) => {
    const text = by.String({ description: 'd', maxLength: 3 });
    return {
      text,
      plain: by.Object({ a: text, b: by.Optional(by.Null()), c: by.Boolean() }, { additionalProperties: false }),
      optional: by.Object({ a: by.Optional(by.Integer({ minimum: 1 })) }),
      list: by.Array(by.Number(), { minItems: 3 }),
      names: by.Enum(['a', 'b'], { description: 'd' }),
      one: by.Literal('x'),
      yes: by.Literal(true),
      two: by.Literal(2),
      either: by.Union([by.String(), by.Null()], { description: 'd' }),
      table: by.Record(by.String(), by.Unknown(), { description: 'd' }),
      anything: by.Unknown({ description: 'd' }),
    };
  };

  it('write down what typebox does, in the same order', () => {
    expect(JSON.stringify(made(Type))).to.equal(JSON.stringify(made(TypeBox)));
  });

  it('leave a schema that is made optional as it was', () => {
    const kept = Type.String();
    Type.Object({ a: Type.Optional(kept) });
    expect(Type.Object({ kept })).to.deep.equal({ type: 'object', required: ['kept'], properties: { kept } });
  });
});
