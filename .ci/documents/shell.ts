import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Step } from './step.ts'

export interface Shell {
  /** Runs a step. Rejects if a command fails or the expected output is missing. */
  run(step: Step): Promise<void>
  /** Returns all output so far. */
  output(): string
  close(): void
}

const timeoutMs = 10 * 60 * 1000

/** Starts one bash for all blocks of a page, so that variables and the working directory persist. */
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
    // A separate process group, so that the shell and its children can be killed together.
    detached: true,
  })
  let printed = ''
  for (const stream of [bash.stdout, bash.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
  }
  // A write after the end of the shell fails; the exit code reports the end.
  bash.stdin.on('error', () => undefined)
  // With job control, each background job has a process group.
  bash.stdin.write('set -euo pipefail -m\n')
  let server: number | undefined

  const endGroup = (leader: number | undefined, signal: NodeJS.Signals) => {
    try {
      if (leader !== undefined) process.kill(-leader, signal)
    } catch {
      // The group has already ended.
    }
  }

  async function waitUntil(condition: string, isMet: () => boolean | Promise<boolean>): Promise<void> {
    const deadline = Date.now() + timeoutMs
    while (!(await isMet())) {
      if (bash.exitCode !== null) throw new Error(`The block ended with ${bash.exitCode}`)
      if (Date.now() > deadline) throw new Error(`Timed out: ${condition}`)
      await sleep(100)
    }
  }

  return {
    async run({ write, text, background, prints }) {
      const marker = randomUUID()
      const from = printed.length
      if (background && server !== undefined) {
        // Stop the previous server, which uses the port.
        endGroup(server, 'SIGTERM')
        await waitUntil(`port ${port} is free`, async () => !(await isListening(port)))
      }
      if (write !== undefined) bash.stdin.write(`cat > '${write}' <<'${marker}'\n${text}\n${marker}\n`)
      else if (background) bash.stdin.write(`{\n${text}\n} </dev/null &\n`)
      else bash.stdin.write(`{\n${text}\n} </dev/null\n`)
      bash.stdin.write(`echo "${marker} \${!-} "\n`)
      await waitUntil('the block has ended', () => printed.includes(`${marker} `))
      const started = new RegExp(`${marker} (\\d+) `).exec(printed.slice(from))?.[1]
      if (background) server = Number(started)
      if (background) await waitUntil(`port ${port} isListening`, () => isListening(port))
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

/** Checks whether a server listens, regardless of its response. */
const isListening = (port: number): Promise<boolean> =>
  fetch(`http://localhost:${port}/`).then(
    async (response) => {
      await response.body?.cancel()
      return true
    },
    () => false,
  )
