// Runs in the folder with the installed packages: imports the given modules, then ends the process.
import { Server } from 'node:net'

// Servers listen on a free port of the loopback interface.
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
process.stdout.write(`${modules.length} blocks run\n`)
process.exit()
