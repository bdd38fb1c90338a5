import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { generatedPages } from './generate.ts'
import { parsePage } from './markdown.ts'
import { pages, root } from './pages.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')

it('has up-to-date generated pages; if not, run `npm run docs:generate`', async () => {
  for (const [path, text] of await generatedPages())
    expect(existsSync(join(root, path)) && read(path), path).toBe(text)
})

describe('links', () => {
  const parsed = new Map(pages().map((path) => [path, parsePage(read(path))]))

  /** Returns the relative links of a page with their target file and heading. */
  const getLinks = (path: string) =>
    (parsed.get(path)?.links ?? [])
      .filter((link) => !/^([a-z]+:|\/\/)/.test(link))
      .map((link) => {
        const [file = '', anchor] = link.split('#')
        return {
          link,
          target: file === '' ? path : relative(root, join(root, dirname(path), decodeURI(file))),
          anchor,
        }
      })

  it.each([...parsed.keys()])('of %s have existing targets', (path) => {
    const broken = getLinks(path).filter(({ target, anchor }) => {
      if (!existsSync(join(root, target))) return true
      if (anchor === undefined) return false
      const page = parsed.get(target) ?? parsed.get(join(target, 'README.md'))
      return page === undefined || !page.anchors.has(anchor)
    })
    expect(broken.map(({ link }) => link)).toEqual([])
  })

  it.each([
    ['docs/README.md', /^docs\/(?!decisions\/|reference\/providers\/)/],
    ['docs/reference/providers.md', /^docs\/reference\/providers\//],
    ['docs/decisions/README.md', /^docs\/decisions\//],
  ])('of %s list every page', (index, listed) => {
    const targets = new Set(getLinks(index).map(({ target }) => target))
    const missing = [...parsed.keys()].filter(
      (path) => listed.test(path) && path !== index && !targets.has(path),
    )
    expect(missing).toEqual([])
  })
})

describe('commands', () => {
  const readScripts = (workspace: string) =>
    (JSON.parse(read(join(workspace, 'package.json'))) as { scripts?: Record<string, string> }).scripts ?? {}

  it.each(pages())('of %s name existing scripts and tests', (path) => {
    const text = read(path)
    const runs = [...text.matchAll(/\bnpm run (?:--silent )?([a-z][\w:-]*)(?: -w ([\w/.-]+\w))?/g)]
    const own = path.startsWith('examples/') || path.startsWith('packages/') ? [dirname(path)] : []
    const unknown = runs.filter(
      ([, script = '', workspace]) =>
        !(workspace === undefined ? ['', ...own] : [workspace]).some((one) => script in readScripts(one)),
    )
    expect(unknown.map(([command]) => command)).toEqual([])

    // The test runner ignores a missing path if another path exists.
    const tests = [...text.matchAll(/\bnpm test -- ([^\n`#]+)/g)].flatMap(([, paths = '']) =>
      paths.trim().split(' '),
    )
    const missing = tests.filter((one) => !/^-|acme/.test(one) && !existsSync(join(root, one)))
    expect(missing).toEqual([])
  })
})

it('shows the programs of examples/books in the guide', () => {
  const blocks = parsePage(read('docs/guides/build-a-rest-api.md')).blocks.map(({ text }) => text)
  const programs = readdirSync(join(root, 'examples/books/src')).map((file) =>
    read(`examples/books/src/${file}`).trimEnd(),
  )
  expect(blocks).toEqual(expect.arrayContaining(programs))
})

it('ignores the secrets and data that pages create in a checkout', () => {
  const text = pages().map(read).join('\n')
  const folders = [...text.matchAll(/^\s*mkdir .*?([\w/]+)(?: #.*)?$/gm)].map(([, folder = '']) => folder)
  const secrets = folders.filter((folder) => /(^|\/)secrets$/.test(folder))
  expect(secrets).toEqual(expect.arrayContaining(['secrets', 'private/secrets', 'compose/secrets']))
  const ignoredPaths = [
    ...secrets.filter((folder) => folder !== 'compose/secrets'),
    'examples/reference-server/compose/secrets',
    'examples/reference-server/kubernetes/secrets',
    ...['login.json', 'production-data', 'data'],
  ].map((path) => (path.includes('.') ? path : `${path}/file`))
  const ignored = execFileSync('git', ['check-ignore', ...ignoredPaths], { cwd: root, encoding: 'utf8' })
  expect(ignored.trim().split('\n')).toEqual(ignoredPaths)
})

it('parses blocks, their directives, and headings like GitHub', () => {
  const page = parsePage(
    '# A `b` & c\n\n## A\n\n## A\n\n<!-- walk: background -->\n\n```sh\nnpm start\n```\n\n- item\n\n  ```ts\n  export {}\n  ```\n\n[x](y.md#z)\n',
  )
  expect([...page.anchors]).toEqual(['a-b--c', 'a', 'a-1'])
  expect(page.links).toEqual(['y.md#z'])
  expect(page.blocks).toEqual([
    { language: 'sh', text: 'npm start', line: 10, directive: 'walk: background' },
    { language: 'ts', text: 'export {}', line: 16, directive: '' },
  ])
})
