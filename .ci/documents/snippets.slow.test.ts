import { expect, it } from 'vitest'
import { compile } from './compile.ts'
import { snippets, type Snippet } from './snippets.ts'

const snippet = (text: string): Snippet => ({ folder: 'docs', path: 'docs/example.md', line: 7, text })

it('compiles every ts block of the pages and of the docstrings', { timeout: 240_000 }, () => {
  const found = snippets()
  expect(found.length).toBeGreaterThan(100)
  const broken = snippet("import { createGateway } from '@sallyport/webhooks'\ncreateGateway({})")
  const [first, ...problems] = [...compile([broken, ...found])]
  // The broken snippet proves that the compiler ran.
  expect(first).toMatch(/^docs\/example\.md:8: Argument of type/)
  expect(problems).toEqual([])
})
