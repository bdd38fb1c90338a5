import { expect, it } from 'vitest'
import { formatPath } from './path.ts'

it('inserts encoded values into a template', () => {
  expect(formatPath('/', {})).toBe('/')
  expect(formatPath('/posts/{id}/comments/{comment_id}', { comment_id: '2', id: '1' })).toBe(
    '/posts/1/comments/2',
  )
  expect(formatPath('/files/{name}', { name: 'a/b c?d#é{id}$&' })).toBe(
    '/files/a%2Fb%20c%3Fd%23%C3%A9%7Bid%7D%24%26',
  )
})
