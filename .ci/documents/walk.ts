/**
 * Runs every `sh` block of README.md, docs/guides/a-bad-day.md and docs/getting-started.md in order, in a new copy of the checkout and with packed
 * packages from a local registry. Run it with `npm run docs:walk`.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parsePage } from './markdown.ts'
import { root } from './pages.ts'
import { openRegistry } from './registry.ts'
import { openShell } from './shell.ts'
import { parseStep } from './step.ts'

const folder = mkdtempSync(join(tmpdir(), 'sallyport-walk-'))
const checkout = join(folder, 'sallyport')
const elsewhere = join(folder, 'elsewhere')
try {
  copyCheckout()
  await walk('README.md', checkout)
  await walk('docs/guides/a-bad-day.md', checkout)
  // The registry serves what npm would publish.
  execFileSync('npm', ['run', 'build'], { cwd: checkout, stdio: 'inherit' })
  const registry = await openRegistry(checkout, join(folder, 'tarballs'))
  try {
    mkdirSync(elsewhere)
    await walk('docs/getting-started.md', elsewhere, { npm_config_registry: registry.url })
  } finally {
    registry.close()
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Copies all files of the checkout that git does not ignore. */
function copyCheckout(): void {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root })
  const files = listed
    .toString()
    .split('\0')
    .filter((path) => path !== '' && existsSync(join(root, path)))
  mkdirSync(checkout)
  const archive = execFileSync('tar', ['-c', '--null', '-T', '-'], {
    cwd: root,
    input: files.join('\0'),
    maxBuffer: 1024 ** 3,
  })
  execFileSync('tar', ['-x'], { cwd: checkout, input: archive })
}

async function walk(
  page: string,
  start: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<void> {
  const port = await freePort()
  const shell = openShell({
    folder: start,
    port,
    variables: {
      PORT: String(port),
      // The login of a page must not replace that of the developer.
      SALLYPORT_CONFIG_DIR: join(folder, 'configuration'),
      npm_config_prefer_offline: 'true',
      ...variables,
    },
  })
  try {
    for (const block of parsePage(readFileSync(join(root, page), 'utf8')).blocks) {
      const step = parseStep(block, { port, checkout })
      if (step === undefined) continue
      process.stdout.write(`${page}:${block.line} ${step.label}\n`)
      await shell.run(step)
    }
  } catch (error) {
    process.stderr.write(shell.output())
    throw error
  } finally {
    shell.close()
  }
}

/** Returns a free port, because the default port of the pages may be in use. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, () => {
      const { port } = server.address() as AddressInfo
      server.close(() => {
        resolve(port)
      })
    })
  })
}
