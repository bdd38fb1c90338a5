/**
 * Generates the lists of providers, the exports and entries of the package, and the table of the README from the folders
 * of `src`. Run it with `npm run generate -w packages/providers`.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import type { AnyProvider } from '@sallyport/webhooks'
import { identifier, isTaken } from './names.ts'

const here = new URL('../', import.meta.url)

/** The expected contents of the generated files by their path in the package. */
export async function generatedFiles(root = here): Promise<ReadonlyMap<string, string>> {
  const names = await providerNames(root)
  return new Map([
    ['src/index.ts', providersModule(names)],
    ['src/samples.ts', samplesModule(names)],
    ['package.json', packageJson(await readFile(new URL('package.json', root), 'utf8'), names)],
    ['README.md', readme(await readFile(new URL('README.md', root), 'utf8'), await loadEntries(names, root))],
  ])
}

/** Every folder of `src` with an `index.ts` is a provider with the name of the folder. */
async function providerNames(root: URL): Promise<readonly string[]> {
  const paths = await readdir(new URL('src', root), { recursive: true })
  const names = paths.flatMap((path) => /^([^/\\]+)[/\\]index\.ts$/.exec(path)?.[1] ?? []).sort()
  const taken = names.find(isTaken)
  if (taken !== undefined) throw new TypeError(`A provider cannot be named "${taken}"`)
  return names
}

/** A provider and the description from the comment of its entry. */
export interface Entry {
  readonly provider: AnyProvider
  readonly service: string
  readonly signed: string
  readonly secret: string
}

/** Every provider of the package, sorted by name. */
export async function loadEntries(names?: readonly string[], root = here): Promise<readonly Entry[]> {
  const all = names ?? (await providerNames(root))
  return Promise.all(
    all.map(async (name) => {
      const url = new URL(`src/${name}/index.ts`, root)
      const entry = (await import(url.href)) as Record<string, AnyProvider>
      const provider = entry[identifier(name)]
      if (provider?.name !== name) {
        throw new TypeError(`src/${name}/index.ts must export the provider "${name}" as ${identifier(name)}`)
      }
      return { provider, ...parseDescription(name, await readFile(url, 'utf8')) }
    }),
  )
}

/**
 * Reads the comment of an entry: a paragraph with the service, and a paragraph "Signed by …. The secret is ….".
 */
function parseDescription(name: string, source: string): Omit<Entry, 'provider'> {
  const [, comment = ''] = /^\/\*\*([^]*?)\*\//.exec(source) ?? []
  const paragraphs = comment.split(/\n \*\s*\n/).map((paragraph) =>
    paragraph
      .replaceAll(/\s*\n? \* /g, ' ')
      .trim()
      .replace(/\.$/, ''),
  )
  const [service = '', signature = ''] = paragraphs
  const [, signed, secret = 'shared with the service'] =
    /^Signed by (.+?)(?:\. The secret is (.+))?$/.exec(signature) ?? []
  if (service === '' || signed === undefined) {
    throw new TypeError(
      `src/${name}/index.ts must begin with a comment of two paragraphs: the service, and "Signed by …. The secret is …."`,
    )
  }
  return { service, signed, secret }
}

const header = '// Generated from the folders by `npm run generate -w packages/providers`.\n'

function providersModule(names: readonly string[]): string {
  const imports = names.map((name) => `import { ${identifier(name)} } from './${name}/index.ts'\n`)
  const list = names.map(identifier)
  const declaration = 'export const builtInProviders: readonly AnyProvider[] = '
  const line = `${declaration}[${list.join(', ')}]`
  const fits = line.length <= 110
  return `${header}
/**
 * All providers of this package. Each provider also has its own entry.
 *
 * @module
 */
import type { AnyProvider } from '@sallyport/webhooks'
${imports.join('')}
/** All providers, sorted by name. */
${fits ? line : `${declaration}[\n${list.map((one) => `  ${one},\n`).join('')}]`}
`
}

function samplesModule(names: readonly string[]): string {
  const loaders = names.map((name) => `  ['${name}', () => import('./${name}/samples.ts')],\n`)
  return `${header}
/**
 * Sample deliveries of every provider of this package, loaded on demand.
 *
 * @module
 */
import type { ProviderSamples } from './provider-samples.ts'

export type { ProviderSamples, SampleOptions } from './provider-samples.ts'

/** The loaders of samples by provider name. */
export const builtInSamples: ReadonlyMap<string, () => Promise<ProviderSamples>> = new Map([
${loaders.join('')}])
`
}

function packageJson(current: string, names: readonly string[]): string {
  const entries = ['index', 'samples', ...names.flatMap((name) => [name, `${name}/samples`])]
  const source = (entry: string): string =>
    names.includes(entry) ? `src/${entry}/index.ts` : `src/${entry}.ts`
  const exported = entries.map((entry) => [
    entry === 'index' ? '.' : `./${entry}`,
    {
      '@sallyport/source': `./${source(entry)}`,
      types: `./dist/${entry}.d.ts`,
      default: `./dist/${entry}.js`,
    },
  ])
  const manifest = JSON.parse(current) as { exports: object; tsup: object }
  manifest.exports = Object.fromEntries(exported) as object
  manifest.tsup = {
    ...manifest.tsup,
    entry: Object.fromEntries(entries.map((entry) => [entry, source(entry)])),
  }
  return `${JSON.stringify(manifest, null, 2)}\n`
}

function readme(current: string, entries: readonly Entry[]): string {
  const rows = entries.map(({ provider: { name, signature, events }, service, signed }) => {
    const kinds = Object.keys(events).map((kind) => `\`${kind}\``)
    const headers = signature.headers.map((one) => `\`${one}\``)
    return [`\`${name}\``, service, signed, headers.join(', '), kinds.join(', ')]
  })
  const table = formatTable([['provider', 'service', 'signed by', 'headers', 'kinds of event'], ...rows])
  return current.replace(
    /(<!-- providers -->\n)[^]*?(<!-- \/providers -->)/,
    (_, start: string, end: string) => `${start}\n${table}\n${end}`,
  )
}

/** Formats a Markdown table with the alignment of prettier. */
function formatTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const lines = rows.map(
    (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |\n`,
  )
  lines.splice(1, 0, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |\n`)
  return lines.join('')
}

if (import.meta.main) {
  for (const [path, text] of await generatedFiles()) {
    await writeFile(new URL(path, here), text)
    process.stdout.write(`${path}\n`)
  }
}
