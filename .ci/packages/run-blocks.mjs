// Runs in the folder of a stranger: imports each module that is named, and stops what they have started.
import { Server } from 'node:net'

// What listens takes a port that nobody holds, and no other machine reaches it.
const { listen } = Server.prototype
Server.prototype.listen = function () {
  return listen.call(this, 0, '127.0.0.1')
}

const modules = process.argv.slice(2)
for (const module of modules) {
  try {
    await import(module)
  } catch (error) {
    process.stderr.write(`${module}\n`)
    throw error
  }
}
process.stdout.write(`${modules.length} of them run\n`)
process.exit()
