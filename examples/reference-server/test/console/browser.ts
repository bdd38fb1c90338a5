import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import type { Credentials } from '../api.ts'

const { resolve } = createRequire(import.meta.url)

function findChromium(): string | undefined {
  try {
    return execFileSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' }).trim()
  } catch {
    return undefined
  }
}

export const requirement = {
  what: 'Chromium',
  find: findChromium,
  hint: 'install chromium so that it is on the PATH',
  requiredWithServices: true,
}

export const launch = (executablePath: string): Promise<Browser> =>
  chromium.launch({
    executablePath,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // Requests to other hosts fail and stay in the list of requests.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
    ],
  })

export const desktop = { width: 1280, height: 800 }
export const phone = { width: 390, height: 844 }

/** A page of the console and everything that it must not do. */
export interface Visit extends AsyncDisposable {
  readonly page: Page
  /** Violations of the policy, errors, warnings, dialogs and requests to other origins. */
  readonly complaints: string[]
  /** Opens a path of the console and waits for its content. */
  readonly open: (path: string) => Promise<void>
}

/** Opens a window, in which an operator has logged in. */
export async function visit(
  browser: Browser,
  base: string,
  options: {
    readonly operator?: Credentials
    readonly viewport?: typeof desktop
    readonly isDark?: boolean
  } = {},
): Promise<Visit> {
  const { operator, viewport = desktop, isDark = false } = options
  const context = await browser.newContext({
    viewport,
    colorScheme: isDark ? 'dark' : 'light',
  })
  if (operator !== undefined) await logIn(context, base, operator)
  const complaints: string[] = []
  await watch(context, base, complaints)
  const page = await context.newPage()
  page.on('dialog', (dialog) => {
    complaints.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  return {
    page,
    complaints,
    async open(path) {
      await page.goto(`${base}/console${path}`)
      await page.locator('h1').first().waitFor()
      await page.locator('.loading').first().waitFor({ state: 'detached' })
    },
    [Symbol.asyncDispose]: () => context.close(),
  }
}

/** Logs in as the form does, so that the window has the cookie. */
async function logIn(
  { request }: BrowserContext,
  base: string,
  { email, password }: Credentials,
): Promise<void> {
  const response = await request.post(`${base}/api/v1/sessions/cookie`, {
    data: { email, password },
    headers: { origin: base, 'x-csrf-protection': '1' },
  })
  if (response.status() !== 201) throw new Error(`No session: ${await response.text()}`)
}

async function watch(context: BrowserContext, base: string, complaints: string[]): Promise<void> {
  context.setDefaultTimeout(60_000)
  context.on('weberror', (error) => complaints.push(error.error().message))
  context.on('request', (request) => {
    if (!request.url().startsWith(base)) complaints.push(`request ${request.url().slice(0, 200)}`)
  })
  await context.exposeFunction('reportViolation', (text: string) => complaints.push(text))
  await context.addInitScript(`document.addEventListener('securitypolicyviolation', (violation) => {
    reportViolation('violation of ' + violation.violatedDirective + ' by ' + violation.blockedURI + ' ' + violation.sample)
  })`)
}

/** The serious problems of a page that axe finds. */
export async function findSerious(page: Page): Promise<readonly string[]> {
  // An init script or a script element would have to pass the policy; evaluation by the debugger does not.
  await page.evaluate(await readAxe())
  return page.evaluate<string[]>(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
    violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 160))))`)
}

async function readAxe(): Promise<string> {
  const { readFile } = await import('node:fs/promises')
  return readFile(resolve('axe-core/axe.min.js'), 'utf8')
}
