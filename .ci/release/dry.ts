/**
 * Rehearses a release in a clone of what is committed: versions, changelogs, the lock file, and what npm would publish.
 * Nothing leaves this machine. Run it with `npm run release:dry`; `--built` takes over what `npm run build` has made here.
 */
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { publicPackages, root } from '../packages/public.ts'
import { openBlankRegistry } from './blank-registry.ts'
import { problemsOf, type Publication } from './publication.ts'
import { largestBump, next } from './versions.ts'

const built = process.argv.includes('--built')
const folder = mkdtempSync(join(tmpdir(), 'sallyport-release-'))
const clone = join(folder, 'sallyport')
const registry = await openBlankRegistry()

// Not one of those that wait in place: the registry answers from this process.
const execute = promisify(execFile)

async function run(command: string, ...parameters: readonly string[]): Promise<string> {
  const { stdout } = await execute(command, parameters, { cwd: clone, maxBuffer: 64 * 1024 ** 2 })
  return stdout
}

const tell = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

/** Has changesets set the versions, and makes sure that they are what the changesets ask for. */
async function version(): Promise<void> {
  const [before] = publicPackages(clone)
  if (before === undefined) throw new Error('There is no package')
  const bump = largestBump(join(clone, '.changeset'))
  const expected = next(before.manifest.version, bump)
  await run('changeset', 'version')
  const after = publicPackages(clone)
  for (const { manifest } of after) {
    if (manifest.version !== expected) {
      throw new Error(
        `${manifest.name} becomes ${manifest.version}, though the largest change is ${bump}: ${expected}`,
      )
    }
  }
  tell(`${before.manifest.version} -> ${expected} (${bump}), ${after.length} packages`)
}

try {
  await execute('git', ['clone', '--quiet', root, clone])
  if (built) symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'))
  else await run('npm', 'ci', '--prefer-offline')

  const asked = largestBump(join(clone, '.changeset')) !== 'none'
  if (asked) await version()
  else tell('No changeset waits: the versions stay')
  await run('npm', 'install', '--package-lock-only', '--prefer-offline', '--ignore-scripts')
  await run('npm', 'ci', '--dry-run', '--prefer-offline', '--ignore-scripts')
  tell('The lock file holds')

  if (!built) await run('npm', 'run', 'build')
  const packages = publicPackages(clone)
  if (built) {
    for (const { folder: path } of packages) {
      cpSync(join(root, path, 'dist'), join(clone, path, 'dist'), { recursive: true })
    }
  }
  const workspaces = packages.flatMap(({ folder: path }) => ['--workspace', path])
  const answer = await run('npm', 'publish', '--dry-run', '--json', '--registry', registry.url, ...workspaces)
  const publications = JSON.parse(answer) as Readonly<Record<string, Publication>>
  for (const one of packages) {
    const publication = publications[one.manifest.name]
    const problems = problemsOf(one, publication)
    if (problems.length > 0) throw new Error(`${one.manifest.name}: ${problems.join('; ')}`)
    tell(
      `${publication?.id ?? ''}: ${publication?.entryCount ?? 0} files, ${publication?.unpackedSize ?? 0} bytes`,
    )
  }
  registry.check()

  // What one package gains next does not make a major of those whose peer it is.
  writeFileSync(join(clone, '.changeset/next.md'), "---\n'@sallyport/rest': minor\n---\n\nMore.\n")
  await version()
} finally {
  registry.close()
  rmSync(folder, { recursive: true, force: true })
}
