import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import dockerignore from '@balena/dockerignore'
import type { Stage } from './dockerfile.ts'

export interface BuildOptions {
  /** The root of the repository. */
  readonly workspace: string
  /** The folder that contains the working directory of each stage, by name. */
  readonly folder: string
  /** Commands that already ran in the workspace; their results are copied instead. */
  readonly done: readonly string[]
}

/** Runs the COPY and RUN instructions of all stages and returns the folder of the last one. */
export function buildStages(stages: readonly Stage[], { workspace, folder, done }: BuildOptions): string {
  const context = listContext(workspace)
  let root = folder
  for (const { name, steps } of stages) {
    root = join(folder, name)
    mkdirSync(root, { recursive: true })
    for (const { keyword, text, flags } of steps) {
      if (keyword === 'COPY') {
        const [from = '', to = ''] = text.split(' ')
        if (flags['from'] !== undefined) copy(join(folder, flags['from'], inApp(from)), join(root, to))
        else for (const file of context) copy(join(workspace, file), join(root, file))
      } else if (keyword === 'RUN') {
        run(text, root, { workspace, done })
      }
    }
  }
  return root
}

function run(command: string, root: string, { workspace, done }: Omit<BuildOptions, 'folder'>): void {
  process.stdout.write(`  ${command}\n`)
  if (!done.includes(command)) execFileSync('sh', ['-ec', command], { cwd: root, stdio: ['ignore', 2, 2] })
  // Copy only the build; no later command needs the other results.
  else
    for (const made of globSync('{packages,examples}/*/dist', { cwd: workspace }))
      if (existsSync(join(root, dirname(made)))) copy(join(workspace, made), join(root, made))
}

/** Lists the files of the build context. */
function listContext(workspace: string): readonly string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: workspace,
    encoding: 'utf8',
  })
  const present = listed.split('\0').filter((file) => file !== '' && existsSync(join(workspace, file)))
  return dockerignore
    .default()
    .add(readFileSync(join(workspace, '.dockerignore'), 'utf8'))
    .filter(present)
}

/** Returns a path relative to /app, the working directory of every stage. */
function inApp(path: string): string {
  if (!path.startsWith('/app/')) throw new Error(`${path} is not in /app`)
  return path.slice('/app/'.length)
}

const copy = (from: string, to: string): void => {
  cpSync(from, to, { recursive: true, verbatimSymlinks: true })
}
