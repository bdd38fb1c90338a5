import { createNodeListener, listen } from '@sallyport/rest/node'
import { api, port } from './books.ts'

await listen(createNodeListener(api), { host: '127.0.0.1', port })
