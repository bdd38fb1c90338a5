import { entriesOf, type PublicPackage } from '../packages/public.ts'

/** What npm says it would publish. */
export interface Publication {
  readonly id: string
  readonly version: string
  readonly entryCount: number
  readonly unpackedSize: number
  readonly files: readonly { readonly path: string }[]
}

/** What is wrong with what npm would publish of a package. */
export function problemsOf(one: PublicPackage, publication: Publication | undefined): readonly string[] {
  if (publication === undefined) return ['npm would not publish it']
  const paths = new Set(publication.files.map(({ path }) => path))
  const bins = Object.values((one.manifest['bin'] ?? {}) as Readonly<Record<string, string>>)
  const entries = entriesOf(one).flatMap(({ files }) => Object.values(files))
  const needed = [
    'package.json',
    'README.md',
    'LICENSE',
    ...[...entries, ...bins].map((path) => path.slice(2)),
  ]
  const odd =
    /\.test\.|(^|\/)(test|reliability|scripts|node_modules|data|\.[^/]+)(\/|$)|\.(log|tgz|tsbuildinfo)$/
  return [
    ...needed.filter((path) => !paths.has(path)).map((path) => `${path} is missing`),
    ...[...paths].filter((path) => odd.test(path)).map((path) => `${path} is nobody's but ours`),
  ]
}
