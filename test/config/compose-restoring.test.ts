import { expect } from 'chai';
import { builtIn } from '#config/compose-exporting.js';
import { chosenModel, composeEdgeRecovery } from '#config/compose-restoring.js';
import type { ModelChoice } from '#config/variables.js';
import { ServiceError } from '#domain/errors.js';

describe('Restoring as it is composed', () => {
  const reported = async (model: ModelChoice) => {
    const found = await builtIn(composeEdgeRecovery(model)).edgeRecovery();
    expect(found.map(({ id }) => id)).to.deep.equal(['pixel_exact', 'real_esrgan']);
    expect(found[0]).to.deep.equal({ id: 'pixel_exact', state: 'available' });
    return found[1];
  };

  it('refuses a model that is named in no accepted form, as what was asked for wrongly', () => {
    expect(() => chosenModel({ BURIN_RESTORE_MODEL: 'x#sha256=1' }))
      .to.throw(ServiceError, /BURIN_RESTORE_MODEL takes/)
      .with.property('code', 'INVALID_REQUEST');
    expect(chosenModel({})).to.deep.equal({ kind: 'own' });
  });

  it('is there where nothing else is said, and capabilities say so', async () => {
    expect(await reported({ kind: 'own' })).to.deep.equal({ id: 'real_esrgan', state: 'available' });
  });

  it('is not there where it is switched off or its model is missing, and capabilities say why', async () => {
    expect(await reported({ kind: 'none' })).to.deep.equal({
      id: 'real_esrgan',
      state: 'unavailable',
      reason: 'It is switched off here.',
    });
    expect(await reported({ kind: 'file', path: '/nowhere/at/all.onnx', sha256: null })).to.deep.equal({
      id: 'real_esrgan',
      state: 'unavailable',
      reason: 'No restoring model is installed.',
    });
  });
});
