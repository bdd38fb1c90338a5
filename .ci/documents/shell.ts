import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Step } from './step.ts'

export interface Shell {
  /** Rejects when a command fails, or does not print what it should. */
  run(step: Step): Promise<void>
  /** What it has printed since it was opened. */
  output(): string
  close(): void
}

const patienceMs = 10 * 60 * 1000

/** One bash for all blocks of a page, as a newcomer has one terminal: variables and the folder stay. */
export function openShell(options: {
  readonly folder: string
  readonly port: number
  readonly variables: Readonly<Record<string, string>>
}): Shell {
  const { folder, port, variables } = options
  const bash = spawn('bash', ['-s'], {
    cwd: folder,
    env: { ...process.env, ...variables },
    stdio: ['pipe', 'pipe', 'pipe'],
    // A group of its own, so that what it leaves behind can be ended with it and nothing else.
    detached: true,
  })
  let printed = ''
  for (const stream of [bash.stdout, bash.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
  }
  // What ended cannot be written to, and says so by its exit code.
  bash.stdin.on('error', () => undefined)
  // With job control, what goes on in the background is a group too.
  bash.stdin.write('set -euo pipefail -m\n')
  let server: number | undefined

  const endGroup = (leader: number | undefined, signal: NodeJS.Signals) => {
    try {
      if (leader !== undefined) process.kill(-leader, signal)
    } catch {
      // All of it has ended.
    }
  }

  async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
    const giveUpAt = Date.now() + patienceMs
    while (!(await isSo())) {
      if (bash.exitCode !== null) throw new Error(`The block ended with ${bash.exitCode}`)
      if (Date.now() > giveUpAt) throw new Error(`Waited too long until ${what}`)
      await sleep(100)
    }
  }

  return {
    async run({ write, text, background, prints }) {
      const mark = randomUUID()
      const from = printed.length
      if (background && server !== undefined) {
        // As a newcomer stops the one before, which holds the port.
        endGroup(server, 'SIGTERM')
        await until(`nobody holds port ${port}`, async () => !(await answers(port)))
      }
      if (write !== undefined) bash.stdin.write(`cat > '${write}' <<'${mark}'\n${text}\n${mark}\n`)
      else if (background) bash.stdin.write(`{\n${text}\n} </dev/null &\n`)
      else bash.stdin.write(`{\n${text}\n} </dev/null\n`)
      bash.stdin.write(`echo "${mark} \${!-} "\n`)
      await until('the block has ended', () => printed.includes(`${mark} `))
      const started = new RegExp(`${mark} (\\d+) `).exec(printed.slice(from))?.[1]
      if (background) server = Number(started)
      if (background) await until(`port ${port} answers`, () => answers(port))
      if (prints !== undefined && !printed.slice(from).includes(prints)) {
        throw new Error(`The block did not print "${prints}"`)
      }
    },
    output: () => printed,
    close() {
      endGroup(server, 'SIGKILL')
      endGroup(bash.pid, 'SIGKILL')
    },
  }
}

/** Whatever it answers, it listens. */
const answers = (port: number): Promise<boolean> =>
  fetch(`http://localhost:${port}/`).then(
    async (response) => {
      await response.body?.cancel()
      return true
    },
    () => false,
  )
