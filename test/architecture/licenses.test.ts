import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type LockedPackages, licenseOf, packagesOf, sbomOf } from '#config/sbom.js';
import { PACKAGE_ROOT } from '#test/support/package-root.js';

const readJson = (name: string) => JSON.parse(readFileSync(join(PACKAGE_ROOT, name), 'utf8'));
const project = readJson('package.json') as { name: string; version: string; license: string };
const lock = (readJson('package-lock.json') as { packages: LockedPackages }).packages;

/** Licences that go together with GPL-3.0-or-later, which Burin is under. */
const ALLOWED: ReadonlySet<string> = new Set([
  'MIT',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'BlueOak-1.0.0',
  'MPL-2.0',
  'LGPL-3.0-or-later',
  'GPL-3.0-or-later',
  'Bitstream-Vera',
  'PSF-2.0',
]);

/**
 * Allowed by their names alone. potrace's package.json says GPL-2.0; the program that it was made from is licensed under version
 * 2 or any later one, by which it goes together with version 3. It is optional: nothing else needs it.
 */
const NOTED: Readonly<Record<string, string>> = { 'node_modules/potrace': 'GPL-2.0' };

/** One of the licences of an "or", all of an "and". */
function isAllowed(expression: string): boolean {
  const inner = expression.replace(/^\((.*)\)$/, '$1');
  if (/ OR /.test(inner)) return inner.split(' OR ').some(isAllowed);
  if (/ AND /.test(inner)) return inner.split(' AND ').every(isAllowed);
  return ALLOWED.has(inner);
}

const refusedOf = (packages: LockedPackages): readonly string[] =>
  packagesOf(packages).flatMap(([path, locked]) => {
    const license = licenseOf(path, locked);
    if (license !== undefined && (NOTED[path] === license || isAllowed(license))) return [];
    return [`${path}: ${license ?? 'no licence'}`];
  });

describe('Licences', () => {
  it('of everything that is installed go together with ours', () => {
    expect(packagesOf(lock).length).to.be.above(400);
    expect(refusedOf(lock)).to.deep.equal([]);
    expect(project.license).to.equal('GPL-3.0-or-later');
  });

  it('are noted for packages that are there, and the noted ones are optional', () => {
    for (const [path, license] of Object.entries(NOTED)) {
      expect(lock[path]?.license, path).to.equal(license);
      expect(lock[path]?.optional, path).to.equal(true);
    }
  });

  it('would be refused where they do not, or where there are none', () => {
    const packages: LockedPackages = {
      '': {},
      'node_modules/a': { version: '1.0.0', license: 'SSPL-1.0' },
      'node_modules/b': { version: '1.0.0' },
      'node_modules/c': { version: '1.0.0', license: '(SSPL-1.0 OR MIT)' },
      'node_modules/d': { version: '1.0.0', license: 'MIT AND BUSL-1.1' },
      'node_modules/e': { version: '1.0.0', license: 'GPL-2.0' },
    };
    expect(refusedOf(packages)).to.deep.equal([
      'node_modules/a: SSPL-1.0',
      'node_modules/b: no licence',
      'node_modules/d: MIT AND BUSL-1.1',
      'node_modules/e: GPL-2.0',
    ]);
  });
});

describe('The list of what Burin is made of', () => {
  const sbom = sbomOf(project, lock);

  it('is CycloneDX, with every package, its version, licence and hash', () => {
    expect(sbom).to.include({ bomFormat: 'CycloneDX', specVersion: '1.5', version: 1 });
    expect(sbom.components.length).to.equal(packagesOf(lock).length);
    const refs = sbom.components.map((component) => component['bom-ref']);
    expect(new Set(refs).size).to.equal(refs.length);
    for (const component of sbom.components) {
      expect(component.licenses, component.name).to.have.length(1);
      if (component.name !== 'jimp-stub')
        expect(component.hashes?.[0]?.content, component.name).to.match(/^[0-9a-f]{40,128}$/);
    }
  });

  it('says what asks for what, of packages that it lists', () => {
    const refs = new Set([...sbom.components, sbom.metadata.component].map((component) => component['bom-ref']));
    const edges = sbom.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]);
    expect(edges.filter((ref) => !refs.has(ref))).to.deep.equal([]);
    expect(sbom.dependencies[0]!.dependsOn.length).to.be.above(25);
    const stub = sbom.dependencies.find(({ ref }) => ref.startsWith('pkg:npm/potrace@'))!;
    expect(stub.dependsOn.some((ref) => /jimp-stub/.test(ref))).to.equal(true);
  });

  it('tells what developers need from what is shipped, and names install scripts', () => {
    const scopeOf = (name: string) => sbom.components.find((component) => component.name === name)?.scope;
    expect([scopeOf('mocha'), scopeOf('fastify'), scopeOf('potrace')]).to.deep.equal([
      'excluded',
      'required',
      'optional',
    ]);
    const scripts = sbom.components.filter(({ properties }) =>
      properties.some(({ name }) => /hasInstallScript/.test(name)),
    );
    expect(scripts.map(({ name }) => name)).to.include('sqlite3');
  });
});
