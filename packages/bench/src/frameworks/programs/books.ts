export interface NewBook {
  readonly title: string
  readonly author: string
  readonly year: number
}

const books = Array.from({ length: 100 }, (_, index) => ({
  id: `book-${index}`,
  title: `The book with the number ${index}`,
  author: 'Jane Austen',
  year: 1813,
}))

export const findBooks = (limit: number) => books.slice(0, limit)

/** Keeps nothing, so that the lists of all programs stay equal. */
export const addBook = (book: NewBook) => ({ id: 'book-new', ...book })

export const announce = (port: number | undefined) => {
  process.stdout.write(`The API listens on http://localhost:${port}\n`)
}
