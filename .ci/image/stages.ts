import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import dockerignore from '@balena/dockerignore'
import type { Stage } from './dockerfile.ts'

export interface BuildOptions {
  /** The top of the repository. */
  readonly workspace: string
  /** Where each stage gets a folder of its name, that stands for its working directory. */
  readonly folder: string
  /** Commands that were run in the workspace already: what they made there is taken over instead. */
  readonly done: readonly string[]
}

/** Carries out what COPY and RUN say, a folder for each stage, and answers the last one's. */
export function buildStages(stages: readonly Stage[], { workspace, folder, done }: BuildOptions): string {
  const context = contextOf(workspace)
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
  // Only what is built: what else the commands left, no later one reads.
  else
    for (const made of globSync('{packages,examples}/*/dist', { cwd: workspace }))
      if (existsSync(join(root, dirname(made)))) copy(join(workspace, made), join(root, made))
}

/** The files of the repository that reach the builder. */
function contextOf(workspace: string): readonly string[] {
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

/** Every stage works in /app, and names nothing outside of it. */
function inApp(path: string): string {
  if (!path.startsWith('/app/')) throw new Error(`${path} is not in /app`)
  return path.slice('/app/'.length)
}

const copy = (from: string, to: string): void => {
  cpSync(from, to, { recursive: true, verbatimSymlinks: true })
}
