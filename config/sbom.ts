/** What a lock file says of one package. */
interface LockedPackage {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}
export type LockedPackages = Readonly<Record<string, LockedPackage>>;

/** Licences of packages whose own package.json names none that a program can read: read in the files they bring. */
const READ_BY_US: Readonly<Record<string, string>> = {
  busboy: 'MIT',
  dicer: 'MIT',
  streamsearch: 'MIT',
  'png-js': 'MIT',
  'humanize-number': 'MIT',
  only: 'MIT',
  'dejavu-fonts-ttf': 'Bitstream-Vera',
  'jimp-stub': 'GPL-3.0-or-later',
};

const folderName = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
const nameOf = (path: string, { name }: LockedPackage) =>
  name ?? (/jimp-stub$/.test(path) ? 'jimp-stub' : folderName(path));

/** The licence of a locked package; undefined where nobody has said. */
export const licenseOf = (path: string, locked: LockedPackage): string | undefined =>
  READ_BY_US[nameOf(path, locked)] ?? locked.license;

/** Packages of a lock file by their paths, without the project itself and without links to others of them. */
export const packagesOf = (packages: LockedPackages): readonly (readonly [string, LockedPackage])[] =>
  Object.entries(packages).filter(([path, { link }]) => path !== '' && link !== true);

const purlOf = (name: string, version: string) => `pkg:npm/${name.replace(/^@/, '%40')}@${encodeURIComponent(version)}`;

/** `sha512-<base64>` of a lock file in the words of CycloneDX. */
const hashesOf = (integrity: string | undefined) => {
  const [, bits, digest] = /^sha(1|256|384|512)-(\S+)/.exec(integrity ?? '') ?? [];
  if (bits === undefined || digest === undefined) return [];
  return [{ alg: `SHA-${bits}`, content: Buffer.from(digest, 'base64').toString('hex') }];
};

/** Where a package that `from` asks for lies: the nearest node_modules upwards, as node looks it up; links followed. */
function resolvedPath(packages: LockedPackages, from: string, name: string): string | undefined {
  for (let folder = from; ; ) {
    const candidate = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    const found = packages[candidate];
    if (found !== undefined) return found.link ? found.resolved : candidate;
    if (folder === '') return undefined;
    const above = folder.lastIndexOf('/node_modules/');
    folder = above < 0 ? '' : folder.slice(0, above);
  }
}

/**
 * A list of everything that Burin is made of, as CycloneDX 1.5: each package of the lock file with its version, licence, hash and
 * what it asks for. The same bytes for the same lock file. Packages that only developers need are told from the others by their scope.
 */
export function sbomOf(
  project: { readonly name: string; readonly version: string; readonly license: string },
  packages: LockedPackages,
) {
  const refOf = (path: string) => {
    const locked = packages[path]!;
    // Two copies of one version are two components.
    return path === ''
      ? purlOf(project.name, project.version)
      : `${purlOf(nameOf(path, locked), locked.version ?? '0')}#${path}`;
  };
  const listed = packagesOf(packages);
  const components = listed.map(([path, locked]) => {
    const name = nameOf(path, locked);
    const version = locked.version ?? '0';
    const license = licenseOf(path, locked);
    return {
      type: 'library',
      'bom-ref': refOf(path),
      name,
      version,
      scope: locked.dev === true ? 'excluded' : locked.optional === true ? 'optional' : 'required',
      purl: purlOf(name, version),
      ...(license !== undefined && { licenses: [{ expression: license }] }),
      ...(locked.integrity !== undefined && { hashes: hashesOf(locked.integrity) }),
      properties: [
        { name: 'cdx:npm:package:path', value: path },
        ...(locked.hasInstallScript ? [{ name: 'cdx:npm:package:hasInstallScript', value: 'true' }] : []),
      ],
    };
  });
  const dependencies = ['', ...listed.map(([path]) => path)].map((path) => {
    const { dependencies: asked, optionalDependencies } = packages[path]!;
    const paths = Object.keys({ ...asked, ...optionalDependencies }).flatMap(
      (name) => resolvedPath(packages, path, name) ?? [],
    );
    return { ref: refOf(path), dependsOn: [...new Set(paths)].filter((found) => found in packages).map(refOf) };
  });
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': refOf(''),
        name: project.name,
        version: project.version,
        purl: purlOf(project.name, project.version),
        licenses: [{ expression: project.license }],
      },
    },
    components,
    dependencies,
  };
}
