// A receiver of webhooks that accepts everything. It tells its parent process its port.
import { createServer } from 'node:http'

const server = createServer((request, response) => void request.resume().on('end', () => response.end()))
server.listen(0, '127.0.0.1', () => process.send(server.address().port))
