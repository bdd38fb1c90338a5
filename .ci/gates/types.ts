/**
 * Checks the types of every program of the repository, two at a time. Run it with `npm run typecheck`.
 *
 * Folders with a lock file of their own are checked when they are installed; `CI=true` requires that they are.
 */
import { existsSync } from 'node:fs'
import { root, runCommand, type CommandResult } from './run-command.ts'

const compiler = 'node_modules/typescript-7/bin/tsc'

/** The programs, slowest first, with the folder that has to be installed. */
const programs: readonly { readonly project: string; readonly folder?: string }[] = [
  { project: 'tsconfig.json' },
  { project: 'packages/bench/tsconfig.json', folder: 'packages/bench' },
  { project: 'packages/test-support/vendors/tsconfig.json', folder: 'packages/test-support/vendors' },
  { project: 'examples/list-loaders/tsconfig.json', folder: 'examples/list-loaders' },
  { project: 'packages/test-support/runtimes/tsconfig.json', folder: 'packages/test-support/runtimes' },
  { project: 'packages/console/src/app/tsconfig.json' },
  { project: '.ci/tools/tsconfig.json', folder: '.ci/tools' },
  { project: 'docs/.vitepress/tsconfig.json', folder: 'docs/.vitepress' },
]

const waiting = programs.values()

async function work(): Promise<void> {
  for (const { project, folder } of waiting) {
    if (folder !== undefined && !existsSync(`${root}${folder}/node_modules`)) {
      process.stdout.write(`SKIPPED ${project}: npm ci --prefix ${folder}\n`)
      if (process.env['CI'] === 'true') process.exitCode = 1
      continue
    }
    const { passed, output } = await check(project)
    process.stdout.write(output)
    if (!passed) process.exitCode = 1
  }
}

function check(project: string): Promise<CommandResult> {
  const state = `node_modules/.cache/types/${project.replaceAll('/', '-')}`
  return runCommand(`node ${compiler} -p ${project} --noEmit --incremental --tsBuildInfoFile ${state}`)
}

await Promise.all([work(), work()])
