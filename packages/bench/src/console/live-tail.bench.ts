import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { numberedDeliveries } from '../frame/numbered.ts'
import { defineTrial, fullTurnMs } from '../frame/trial.ts'
import type { Sample } from '../frame/benchmark.ts'
import { createRunLoad } from '../webhooks/delivery.ts'
import { openBrowser, openConsoleServer, visitAsAdmin } from './stage.ts'

const rate = 200
const minute = 60_000
const portionMs = 50
const next = numberedDeliveries(createRunLoad())

/** Sends signed deliveries at the rate until the signal aborts, and returns how many were accepted. */
async function send(url: string, signal: AbortSignal): Promise<number> {
  let accepted = 0
  const running = new Set<Promise<void>>()
  const start = performance.now()
  for (let sent = 0; !signal.aborted;) {
    const due = ((performance.now() - start) * rate) / 1000
    for (; sent < due; sent++) {
      const { path, headers, body } = next()
      const one = fetch(url + path, { method: 'POST', headers, body }).then(
        async (response) => {
          if (response.status === 200) accepted++
          await response.body?.cancel()
        },
        // A kept connection that the server closes meanwhile; the column shows the rate.
        () => undefined,
      )
      running.add(one)
      void one.finally(() => running.delete(one))
    }
    await sleep(portionMs)
  }
  await Promise.all(running)
  return accepted
}

/** Follows live deliveries for a duration, and returns the memory of the page after a collection of garbage. */
async function follow(browser: Browser, durationMs: number): Promise<Sample> {
  const { server, close } = await openConsoleServer(0)
  try {
    await using window = await visitAsAdmin(browser, server)
    const { page } = window
    await page.goto(`${server.url}/console/deliveries?live=1`)
    const end = new AbortController()
    const sending = send(server.url, end.signal)
    await page.locator('tbody tr').first().waitFor()
    await sleep(durationMs)
    end.abort()
    const accepted = await sending
    const session = await page.context().newCDPSession(page)
    await session.send('HeapProfiler.collectGarbage')
    const { usedSize } = (await session.send('Runtime.getHeapUsage')) as { usedSize: number }
    return {
      value: usedSize / 1024 ** 2,
      also: { 'deliveries/s': accepted / (durationMs / 1000), rows: await page.locator('tbody tr').count() },
    }
  } finally {
    await close()
  }
}

const names = { short: 'after one minute', long: 'after ten minutes' }

export default defineTrial<{ readonly browser: Browser }>({
  name: 'live-tail',
  what: `JavaScript memory of the console after the live list received ${rate} deliveries per second. A tenth of the time or less with --quick.`,
  unit: 'MB',
  base: names.short,
  ratio: 'value',
  rounds: 1,
  target: { side: names.long, atMost: 1.2 },
  prepare: async () => ({ browser: await openBrowser() }),
  release: ({ browser }) => browser.close(),
  sides: [[names.short, minute] as const, [names.long, 10 * minute] as const].map(([name, durationMs]) => ({
    name,
    does: 'The list of deliveries with the switch "Live" in Chromium.',
    turn: ({ browser }, turnMs) => follow(browser, durationMs * Math.min(1, turnMs / fullTurnMs)),
  })),
})
