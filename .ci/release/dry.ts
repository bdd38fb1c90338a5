/**
 * Runs a release without publishing, in a clone of the committed files: versions, changelogs, the lock file and the
 * packed files. Run it with `npm run release:dry`. `--built` uses the existing build.
 */
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { publicPackages, root } from '../packages/public.ts'
import { openBlankRegistry } from './blank-registry.ts'
import { findProblems, type Publication } from './publication.ts'
import { largestBump, next } from './versions.ts'

const built = process.argv.includes('--built')
const folder = mkdtempSync(join(tmpdir(), 'sallyport-release-'))
const clone = join(folder, 'sallyport')
const registry = await openBlankRegistry()

// Not synchronous, because the registry runs in this process.
const execute = promisify(execFile)

async function run(command: string, ...parameters: readonly string[]): Promise<string> {
  const { stdout } = await execute(command, parameters, { cwd: clone, maxBuffer: 64 * 1024 ** 2 })
  return stdout
}

const log = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

/** Runs changesets and checks that every package has the expected version. */
async function version(): Promise<void> {
  const [before] = publicPackages(clone)
  if (before === undefined) throw new Error('The workspace has no packages')
  const bump = largestBump(join(clone, '.changeset'))
  const expected = next(before.manifest.version, bump)
  await run('changeset', 'version')
  const after = publicPackages(clone)
  for (const { manifest } of after) {
    if (manifest.version !== expected) {
      throw new Error(`${manifest.name} has the version ${manifest.version} instead of ${expected} (${bump})`)
    }
  }
  log(`${before.manifest.version} -> ${expected} (${bump}), ${after.length} packages`)
}

try {
  await execute('git', ['clone', '--quiet', root, clone])
  if (built) {
    symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'))
    // The installation writes these files.
    await run('npm', 'run', 'generate')
  } else await run('npm', 'ci', '--prefer-offline')

  const asked = largestBump(join(clone, '.changeset')) !== 'none'
  if (asked) await version()
  else log('No changesets: the versions are unchanged')
  await run('npm', 'install', '--package-lock-only', '--prefer-offline', '--ignore-scripts')
  await run('npm', 'ci', '--dry-run', '--prefer-offline', '--ignore-scripts')
  log('The lock file is consistent')

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
    const problems = findProblems(one, publication)
    if (problems.length > 0) throw new Error(`${one.manifest.name}: ${problems.join('; ')}`)
    log(
      `${publication?.id ?? ''}: ${publication?.entryCount ?? 0} files, ${publication?.unpackedSize ?? 0} bytes`,
    )
  }
  registry.check()

  // A minor change of a package must not cause a major version of its dependents.
  writeFileSync(join(clone, '.changeset/next.md'), "---\n'@sallyport/rest': minor\n---\n\nMore.\n")
  await version()
} finally {
  registry.close()
  rmSync(folder, { recursive: true, force: true })
}
