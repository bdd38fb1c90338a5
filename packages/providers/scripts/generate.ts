/**
 * Writes what follows from the folders of `src`: the lists of providers, the package's exports and entries, and the
 * table of the README. Run it with `npm run generate -w packages/providers`.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import type { AnyProvider } from '@sallyport/webhooks'
import { identifier, isTaken } from './names.ts'

const here = new URL('../', import.meta.url)

/** The generated files by their path in the package, as they should be. */
export async function generatedFiles(root = here): Promise<ReadonlyMap<string, string>> {
  const names = await providerNames(root)
  return new Map([
    ['src/index.ts', providersModule(names)],
    ['src/samples.ts', samplesModule(names)],
    ['package.json', packageJson(await readFile(new URL('package.json', root), 'utf8'), names)],
    ['README.md', readme(await readFile(new URL('README.md', root), 'utf8'), await loadEntries(names, root))],
  ])
}

/** Every folder of `src` that has an `index.ts` is a provider of the folder's name. */
async function providerNames(root: URL): Promise<readonly string[]> {
  const paths = await readdir(new URL('src', root), { recursive: true })
  const names = paths.flatMap((path) => /^([^/\\]+)[/\\]index\.ts$/.exec(path)?.[1] ?? []).sort()
  const taken = names.find(isTaken)
  if (taken !== undefined) throw new TypeError(`A provider cannot be named "${taken}"`)
  return names
}

/** A provider, and what the description of its entry says of it. */
export interface Entry {
  readonly provider: AnyProvider
  readonly service: string
  readonly signed: string
  readonly secret: string
}

/** Every provider of the package in the order of their names. */
export async function loadEntries(names?: readonly string[], root = here): Promise<readonly Entry[]> {
  const all = names ?? (await providerNames(root))
  return Promise.all(
    all.map(async (name) => {
      const url = new URL(`src/${name}/index.ts`, root)
      const entry = (await import(url.href)) as Record<string, AnyProvider>
      const provider = entry[identifier(name)]
      if (provider?.name !== name) {
        throw new TypeError(
          `src/${name}/index.ts has to export the provider "${name}" as ${identifier(name)}`,
        )
      }
      return { provider, ...described(name, await readFile(url, 'utf8')) }
    }),
  )
}

/**
 * An entry begins with two paragraphs: what the service is, up to the full stop, and "Signed by …. The secret is …."
 */
function described(name: string, source: string): Omit<Entry, 'provider'> {
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
      `src/${name}/index.ts has to begin with a comment of two paragraphs: what the service is, and "Signed by …. The secret is …."`,
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
 * Every provider of this package; each is also an entry of its own.
 *
 * @module
 */
import type { AnyProvider } from '@sallyport/webhooks'
${imports.join('')}
/** The providers in the order of their names. */
${fits ? line : `${declaration}[\n${list.map((one) => `  ${one},\n`).join('')}]`}
`
}

function samplesModule(names: readonly string[]): string {
  const loaders = names.map((name) => `  ['${name}', () => import('./${name}/samples.ts')],\n`)
  return `${header}
/**
 * Real deliveries of every provider of this package, loaded when they are asked for.
 *
 * @module
 */
import type { ProviderSamples } from './provider-samples.ts'

export type { ProviderSamples, SampleOptions } from './provider-samples.ts'

/** What loads the samples of a provider, by its name. */
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
  const table = tableOf([['provider', 'service', 'signed by', 'headers', 'kinds of event'], ...rows])
  return current.replace(
    /(<!-- providers -->\n)[^]*?(<!-- \/providers -->)/,
    (_, start: string, end: string) => `${start}\n${table}\n${end}`,
  )
}

/** A Markdown table as prettier aligns it. */
function tableOf(rows: readonly (readonly string[])[]): string {
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
