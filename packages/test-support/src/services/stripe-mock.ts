import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Requirement } from './describe-needing.ts'
import { unusedPort } from './unused-port.ts'

const defaultCommand = '/var/tmp/sallyport-stripe-mock-0.203.0/stripe-mock'

/** The requirement of a suite that sends requests to Stripe's stripe-mock: its command. */
export const stripeMocks: Requirement<string> = {
  what: 'stripe-mock',
  hint: 'install Go and run CI=true .ci/services, or set TEST_STRIPE_MOCK to the command',
  find() {
    const command = process.env['TEST_STRIPE_MOCK'] ?? defaultCommand
    return existsSync(command) ? command : undefined
  },
}

/** A stripe-mock of one test. It keeps no state, and refuses requests that Stripe's OpenAPI document does not allow. */
export interface StripeMock extends AsyncDisposable {
  readonly url: string
}

/** Starts stripe-mock on a free port, and returns when it answers. */
export async function openStripeMock(command: string): Promise<StripeMock> {
  const address = `127.0.0.1:${await unusedPort()}`
  const url = `http://${address}`
  const child = spawn(command, ['-http-addr', address, '-https-addr', '127.0.0.1:0'], { stdio: 'ignore' })
  const exited = once(child, 'exit')
  while (!(await fetch(url).then(Boolean, () => false))) {
    if (child.exitCode !== null) throw new Error('stripe-mock ended before it answered')
    await sleep(100)
  }
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill()
      await exited
    },
  }
}
