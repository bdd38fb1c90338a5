import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import ts from 'typescript'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { loadServices } from '../scripts/load.ts'
import { listMistakes } from '../scripts/mistakes/list-mistakes.ts'
import { questions, type ServiceAnswers } from '../scripts/questions.ts'
import { scaffold } from '../scripts/scaffold.ts'
import { declarationMistakes } from './mistakes/declaration.ts'
import { fileMistakes } from './mistakes/files.ts'
import type { Files } from './mistakes/mistake.ts'

const month = '2026-11'
const repository = fileURLToPath(new URL('../../../', import.meta.url))

/** The files of a complete service. */
function createFiles(): Files {
  const usual = Object.fromEntries(
    questions.map(([name, , value]) => [name, value]),
  ) as unknown as ServiceAnswers
  const given = {
    ...{ title: 'Acme', docs: 'https://docs.acme.example/webhooks', retries: 'for a day' },
    ...{ header: 'acme-signature', value: 'v1={signature}', timeHeader: 'acme-time' },
    ...{ id: 'id', time: 'created_at' },
  }
  const files: Files = new Map(scaffold('acme', { ...usual, ...given }, month))
  const sample = (type: string, id: string) => ({
    ...{
      kind: type,
      source: 'Written from the documentation',
      headers: { 'content-type': 'application/json' },
    },
    body: { type, id, object: 'order', order: 'o-1', created_at: '2026-01-01T00:00:00Z' },
  })
  const samples = [sample('order.created', 'evt_1'), sample('order.paid', 'evt_2')]
  files.set('acme.samples.json', JSON.stringify(samples, null, 2))
  const declaration = files.get('acme.ts') ?? ''
  files.set(
    'acme.ts',
    declaration
      .replace(/identity: '.*'/, `identity: 'https://docs.acme.example/webhooks'`)
      .replace(/setup: \[.*\]/, `setup: ['Enter the address. The secret is beside it.']`),
  )
  return files
}

/** A runner that collects the tests of a suite. */
const runnerModule = `import { expect } from 'vitest'
export const tests: { name: string; run: () => unknown }[] = []
export const runner = {
  describe: (_: string, define: () => void) => define(),
  it: (name: string, run: () => unknown) => tests.push({ name, run }),
  expect,
}
`

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sallyport-mistakes-'))
  await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
})
afterAll(() => rm(folder, { recursive: true }))

/** Writes the files of a service into a package of their own. */
async function writePackage(name: string, files: Files): Promise<URL> {
  const root = join(folder, name.replaceAll(' ', '-'))
  await mkdir(join(root, 'src/services'), { recursive: true })
  await mkdir(join(root, 'test'))
  await writeFile(join(root, 'test/runner.ts'), runnerModule)
  for (const [file, text] of files) await writeFile(join(root, 'src/services', file), text)
  return pathToFileURL(`${root}/`)
}

/** The messages of the generator, of the check of the files and of the suite. */
async function listMessages(root: URL): Promise<readonly string[]> {
  const file = new URL('src/services/acme.test.ts', root)
  const test = await readFile(file, 'utf8').catch(() => undefined)
  const messages: string[] = []
  try {
    for (const entry of await loadServices(root)) messages.push(...listMistakes(entry, test, month))
    if (test === undefined) return messages
    await import(file.href)
  } catch (error) {
    return [...messages, String(error)]
  }
  const { tests } = (await import(new URL('test/runner.ts', root).href)) as {
    readonly tests: readonly { readonly name: string; readonly run: () => unknown }[]
  }
  for (const { name, run } of tests) {
    try {
      await run()
    } catch (error) {
      messages.push(`${name}: ${String(error)} ${JSON.stringify((error as { actual?: unknown }).actual)}`)
    }
  }
  return messages
}

/** The messages of the compiler. */
function listTypeErrors(root: URL): readonly string[] {
  const { config } = ts.readConfigFile(join(repository, 'tsconfig.base.json'), (path) =>
    ts.sys.readFile(path),
  ) as {
    readonly config: { readonly compilerOptions: object }
  }
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, repository)
  const program = ts.createProgram([fileURLToPath(new URL('src/services/acme.ts', root))], {
    ...options,
    noEmit: true,
  })
  const source = program.getSourceFile(fileURLToPath(new URL('src/services/acme.ts', root)))
  return program
    .getSemanticDiagnostics(source)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}

it('finds no mistake in a complete service', async () => {
  const root = await writePackage('complete', createFiles())
  expect(await listMessages(root)).toEqual([])
  expect(listTypeErrors(root)).toEqual([])
})

it.each([...declarationMistakes, ...fileMistakes])('finds $title', async ({ title, make, message }) => {
  const files = createFiles()
  make(files)
  const root = await writePackage(title, files)
  const messages = await listMessages(root)
  const all = messages.some((one) => message.test(one)) ? messages : [...messages, ...listTypeErrors(root)]
  expect(all.join('\n')).toMatch(message)
})
