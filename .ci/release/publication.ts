import { listDataFiles, listEntries, type PublicPackage } from '../packages/public.ts'

/** The output of `npm publish --dry-run`. */
export interface Publication {
  readonly id: string
  readonly version: string
  readonly entryCount: number
  readonly unpackedSize: number
  readonly files: readonly { readonly path: string }[]
}

/** Returns missing and unexpected files of a publication. */
export function findProblems(one: PublicPackage, publication: Publication | undefined): readonly string[] {
  if (publication === undefined) return ['npm would not publish the package']
  const paths = new Set(publication.files.map(({ path }) => path))
  const bins = Object.values((one.manifest['bin'] ?? {}) as Readonly<Record<string, string>>)
  const entries = listEntries(one).flatMap(({ files }) => Object.values(files))
  const needed = [
    'package.json',
    'README.md',
    'LICENSE',
    ...[...entries, ...listDataFiles(one), ...bins].map((path) => path.slice(2)),
  ]
  const odd =
    /\.test\.|(^|\/)(test|reliability|scripts|node_modules|data|\.[^/]+)(\/|$)|\.(log|tgz|tsbuildinfo)$/
  // The templates of projects have tests and dot files.
  const isTemplate = (path: string) => path.startsWith('templates/')
  return [
    ...needed.filter((path) => !paths.has(path)).map((path) => `${path} is missing`),
    ...[...paths]
      .filter((path) => odd.test(path) && !isTemplate(path))
      .map((path) => `${path} must not be published`),
  ]
}
