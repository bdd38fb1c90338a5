import type { Browser } from 'playwright-core'
import { defineTrial } from '../frame/trial.ts'
import type { Sample } from '../frame/benchmark.ts'
import { openBrowser, openConsoleServer, visitAsAdmin, type ConsoleServer } from './stage.ts'

const sizes = [
  ['1,000 deliveries', 1000],
  ['1,000,000 deliveries', 1_000_000],
] as const

interface Opened {
  readonly browser: Browser
  readonly servers: ReadonlyMap<string, ConsoleServer>
}

async function close({ browser, servers }: Opened): Promise<void> {
  await browser.close()
  for (const server of servers.values()) await server.close()
}

/** Measures the time from the navigation to the rows of the table, with an empty cache. */
async function measure({ browser, servers }: Opened, size: string): Promise<Sample> {
  const opened = servers.get(size)
  if (opened === undefined) throw new Error(`There is no server with ${size}`)
  const { server } = opened
  const open = async (path: string, shown: string) => {
    await using window = await visitAsAdmin(browser, server)
    const start = performance.now()
    await window.page.goto(`${server.url}/console${path}`)
    await window.page.locator(shown).first().waitFor()
    return performance.now() - start
  }
  return {
    value: await open('/deliveries', 'tbody tr'),
    also: {
      'overview, ms': await open('/overview', '.card'),
      'failures, ms': await open('/failures', '.item'),
    },
  }
}

export default defineTrial<Opened>({
  name: 'first-page',
  what: 'Time in Chromium from the navigation to the rows of the first page of deliveries on SQLite, with an empty cache.',
  unit: 'ms',
  base: sizes[0][0],
  ratio: 'value',
  target: { side: sizes[1][0], of: 'value', atMost: 1000 },
  async prepare() {
    const servers = new Map<string, ConsoleServer>()
    const opened = { browser: await openBrowser(), servers }
    try {
      for (const [name, count] of sizes) servers.set(name, await openConsoleServer(count))
      return opened
    } catch (error) {
      await close(opened)
      throw error
    }
  },
  release: close,
  sides: sizes.map(([name]) => ({
    name,
    does: 'The console of the reference server, built, with the session of an admin.',
    turn: (opened) => measure(opened, name),
  })),
})
