import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { comparePages } from './compare-pages.ts'
import { hashText } from './hash-text.ts'
import { getAddress, listPages } from './list-pages.ts'
import { writeReport } from './report.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

/** Starts a site on loopback. */
async function open(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const options = { intervalMs: 1, hosts: 2, timeoutMs: 2000, maximumBytes: 1000, deadlineMs: 10_000 }

it('lists each page once, with the services that cite it', () => {
  const one = { docs: 'https://one.example/docs', sources: ['https://one.example/docs', 'https://a.example'] }
  const other = { docs: 'https://other.example', sources: ['https://a.example'], identity: 'the page' }
  const pages = listPages([
    { provider: { name: 'one' }, facts: one },
    { provider: { name: 'other' }, facts: other },
  ])
  expect([...pages]).toEqual([
    ['https://a.example', ['one', 'other']],
    ['https://one.example/docs', ['one']],
    ['https://other.example', ['other']],
  ])
})

it('reads the text of a file on GitHub', () => {
  expect(getAddress('https://github.com/acme/sdk/blob/main/src/a.ts#L3')).toBe(
    'https://raw.githubusercontent.com/acme/sdk/main/src/a.ts',
  )
  expect(getAddress('https://github.com/acme/sdk')).toBe('https://github.com/acme/sdk')
})

it('compares the words of the main part of a page', () => {
  const page = (main: string, rest = '') =>
    `<!doctype html><html><head><title>${rest}</title></head><body><nav>${rest}</nav><main class="x">${main}</main><script>${rest}</script></body></html>`
  const hash = hashText(page('<h1>Webhooks</h1><p>Signed with&nbsp;SHA-256.</p>'))
  expect(hashText(page('<h2 id="a">Webhooks</h2>\n<div>Signed with SHA-256.</div>', 'new'))).toBe(hash)
  expect(hashText(page('<h1>Webhooks</h1><p>Signed with SHA-512.</p>'))).not.toBe(hash)
  expect(hashText('const a = 1')).not.toBe(hashText('const a = 2'))
  // The name of another element begins with the name of a hidden one.
  expect(hashText('<html><body><header-note>a</header-note></body></html>')).not.toBe(
    hashText('<html><body><header-note>b</header-note></body></html>'),
  )
})

it('reads a page without the end of its elements in linear time', () => {
  const page = `<html>${'<script></script>'.repeat(20_000)}${'<script '.repeat(100_000)}${'<main'.repeat(100_000)}`
  const start = performance.now()
  hashText(page)
  expect(performance.now() - start).toBeLessThan(10_000)
})

it('records new pages, and finds changed and missing ones', async () => {
  let count = 0
  const site = await open(({ url }, response) => {
    count += 1
    response.statusCode = url === '/gone' ? 404 : url === '/down' ? 500 : 200
    response.end(url === '/volatile' ? String(count) : url === '/large' ? 'a'.repeat(2000) : `text of ${url}`)
  })
  const names = ['same', 'changed', 'new', 'gone', 'down', 'volatile', 'large']
  const pages = names.map((name) => `${site}/${name}`)
  const [same = '', changed = '', added = '', gone = '', down = '', volatile = '', large = ''] = pages
  const stored = {
    [same]: hashText('text of /same'),
    [changed]: 'old',
    [gone]: 'old',
    [down]: 'old',
    [volatile]: 'old',
  }
  const result = await comparePages(pages, stored, options)
  expect(result).toMatchObject({
    changed: [changed],
    gone: [gone],
    unreadable: [down, large, volatile].sort(),
  })
  expect(result.hashes).toEqual({
    ...stored,
    [changed]: hashText('text of /changed'),
    [added]: hashText('text of /new'),
  })
  expect((await comparePages([same, changed, added], result.hashes, options)).changed).toEqual([])
})

it('asks one host at most once in the interval, and other hosts at the same time', async () => {
  const times: number[] = []
  const asked: string[] = []
  const site = await open((_, response) => {
    times.push(performance.now())
    asked.push('site')
    response.end('text')
  })
  const other = await open((_, response) => {
    asked.push('other')
    response.end('text')
  })
  const hash = hashText('text')
  const pages = [`${site}/1`, `${site}/2`, `${site}/3`, `${other}/1`, `${other}/2`, `${other}/3`]
  const stored = Object.fromEntries(pages.map((page) => [page, hash]))
  await comparePages(pages, stored, { ...options, intervalMs: 200 })
  expect(asked).toHaveLength(6)
  expect(asked.indexOf('other')).toBeLessThan(asked.lastIndexOf('site'))
  expect(asked.indexOf('site')).toBeLessThan(asked.lastIndexOf('other'))
  expect(times).toHaveLength(3)
  // A request may be late.
  expect(times.at(-1)! - times[0]!).toBeGreaterThanOrEqual(300)
})

it('ends at the deadline, and gives up a page that does not end', async () => {
  const site = await open((_, response) => response.write('text'))
  const pages = [`${site}/1`, `${site}/2`, `${site}/3`]
  const start = performance.now()
  const result = await comparePages(pages, {}, { ...options, timeoutMs: 100, deadlineMs: 150 })
  expect(result.unreadable).toEqual(pages)
  expect(performance.now() - start).toBeLessThan(10_000)
})

it('reports the services of changed pages, and nothing without a change', () => {
  const pages = new Map([
    ['https://a.example', ['one', 'other']],
    ['https://b.example', ['one']],
  ])
  const none = { changed: [], gone: [], unreadable: ['https://b.example'] }
  expect(writeReport(none, pages)).toBeUndefined()
  const report = writeReport({ ...none, changed: ['https://a.example'], gone: ['https://b.example'] }, pages)
  expect(report).toContain('- [ ] <https://a.example>: `one`, `other`\n')
  expect(report).toContain('## Gone\n\n- [ ] <https://b.example>: `one`\n')
  expect(report).toContain('1 other pages could not be compared')
})
