import { execFile } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parsePage } from '../documents/markdown.ts'
import { compile } from './compile.ts'
import { publicPackages, root } from './public.ts'

const execute = promisify(execFile)

/** Matches blocks that need a declaration, a test runner or a service of the reader. */
const readerRequirements = /^declare |from 'vitest'|\b(127\.0\.0\.1|DATABASE_URL|run\/secrets)\b/m

/**
 * Compiles every `ts` block of the package READMEs with the packages that are installed in a folder, and runs the blocks
 * that need nothing else.
 *
 * @throws Error with the message of the compiler or of a block
 */
export async function checkReadmes(folder: string): Promise<readonly string[]> {
  const own = join(folder, 'readmes')
  mkdirSync(own)
  const blocks = publicPackages().flatMap(({ folder: path, manifest }) =>
    parsePage(readFileSync(join(root, path, 'README.md'), 'utf8'))
      .blocks.filter(({ language }) => language === 'ts')
      .map(({ text, line }) => ({ file: `${manifest.name.replace('@sallyport/', '')}-${line}.ts`, text })),
  )
  for (const { file, text } of blocks) writeFileSync(join(own, file), `${text}\n`)
  compile(folder, {
    compiler: 'typescript',
    options: {
      module: 'nodenext',
      moduleDetection: 'force',
      noUncheckedIndexedAccess: false,
      skipLibCheck: true,
    },
    files: blocks.map(({ file }) => `readmes/${file}`),
  })

  const runnable = blocks.filter(({ text }) => !readerRequirements.test(text))
  const { env, files } = createEnvironment(runnable.map(({ text }) => text).join('\n'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  cpSync(join(import.meta.dirname, 'run-blocks.mjs'), join(own, 'run.mjs'))
  const argv = ['readmes/run.mjs', ...runnable.map(({ file }) => `./${file}`)]
  const { stdout } = await execute(process.execPath, argv, {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...env },
    timeout: 120_000,
  })
  return [`${blocks.length} blocks of READMEs compile`, ...stdout.trim().split('\n').slice(-1)]
}

/** Creates the environment variables and files that blocks read. */
function createEnvironment(text: string) {
  const names = [...text.matchAll(/process\.env(?:\.|\[')(\w+)/g)].map(([, name = '']) => name)
  const pem = { type: 'pkcs8', format: 'pem' } as const
  const ours = generateKeyPairSync('ed25519')
  const theirs = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return {
    env: Object.fromEntries(names.map((name) => [name, createValue(name)])),
    files: {
      'captured.json': '{}',
      'new.pem': ours.privateKey.export(pem),
      'old.pub.pem': theirs.publicKey.export({ type: 'spki', format: 'pem' }),
    },
  }
}

/** Returns a value of more than 32 bytes; a secret in the form of Standard Webhooks, which any other use accepts as well. */
function createValue(name: string): string {
  const text = `what ${name} is, in more than 32 bytes`
  return name.endsWith('_SECRET') ? `whsec_${Buffer.from(text).toString('base64')}` : text
}
