import { expect, it } from 'vitest'
import { pathOf } from './path.ts'

it('puts values into a template, as a path has them', () => {
  expect(pathOf('/', {})).toBe('/')
  expect(pathOf('/posts/{id}/comments/{comment_id}', { comment_id: '2', id: '1' })).toBe(
    '/posts/1/comments/2',
  )
  expect(pathOf('/files/{name}', { name: 'a/b c?d#é{id}$&' })).toBe(
    '/files/a%2Fb%20c%3Fd%23%C3%A9%7Bid%7D%24%26',
  )
})
