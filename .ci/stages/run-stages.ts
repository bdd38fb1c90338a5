import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import type { Stage } from './stages.ts'

export interface StageResult {
  readonly name: string
  /** Whether the command succeeded; undefined if a stage before it failed. */
  readonly passed: boolean | undefined
  readonly seconds: number
}

export interface RunOptions {
  readonly cwd: string
  /** Returns the file for the output of a stage. */
  readonly getLog: (stage: Stage) => string
  readonly onStart: (stage: Stage) => void
  readonly onEnd: (stage: Stage, result: StageResult) => void
}

const capacity = 3

/** Runs the stages side by side. A stage is left out if one that it needs has not passed. */
export async function runStages(
  stages: readonly Stage[],
  { cwd, getLog, onStart, onEnd }: RunOptions,
): Promise<readonly StageResult[]> {
  const results = new Map<string, StageResult>()
  const waiting = new Set(stages)
  const running = new Map<Stage, Promise<void>>()

  async function execute(stage: Stage): Promise<void> {
    onStart(stage)
    const began = performance.now()
    const passed = await runCommand(stage.command, { cwd, log: getLog(stage) })
    end(stage, { name: stage.name, passed, seconds: (performance.now() - began) / 1000 })
  }

  function end(stage: Stage, result: StageResult): void {
    results.set(stage.name, result)
    onEnd(stage, result)
  }

  while (waiting.size > 0 || running.size > 0) {
    for (const stage of waiting) {
      const needed = stage.after.map((name) => results.get(name))
      if (needed.some((result) => result !== undefined && result.passed !== true)) {
        waiting.delete(stage)
        end(stage, { name: stage.name, passed: undefined, seconds: 0 })
      } else if (!needed.includes(undefined)) {
        const shares = [...running.keys()].map(({ share }) => share)
        const free = capacity - shares.reduce((sum, share) => sum + share, 0)
        if (stage.share <= free) {
          waiting.delete(stage)
          running.set(
            stage,
            execute(stage).finally(() => running.delete(stage)),
          )
        } else if (!shares.includes(stage.share)) {
          // Smaller stages would keep the first stage of this size waiting; they run beside one.
          break
        }
      }
    }
    if (running.size > 0) await Promise.race(running.values())
  }
  return [...results.values()]
}

async function runCommand(
  command: string,
  { cwd, log }: { readonly cwd: string; readonly log: string },
): Promise<boolean> {
  // A file instead of a pipe: a service that a stage starts in the background may keep its output open.
  const output = openSync(log, 'w')
  const child = spawn('bash', ['-euo', 'pipefail', '-c', command], { cwd, stdio: ['ignore', output, output] })
  closeSync(output)
  const code = await new Promise<number | null>((resolve) => {
    child.once('exit', resolve)
  })
  return code === 0
}
