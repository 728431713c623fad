import { Client, fetchExchange, mapExchange } from 'urql'
import { serviceAddress } from '../address.ts'
import { freshExchange } from './fresh.ts'

/**
 * A client for one program, or for what belongs to no program. Each has answers of its own, so that none is shown in
 * another program.
 * @param onSignedOut called when the service no longer knows the session
 */
export const createClient = (program: string | null, onSignedOut: () => void): Client =>
  new Client({
    url: serviceAddress('graphql'),
    preferGetMethod: false,
    fetchSubscriptions: true,
    fetchOptions: {
      credentials: 'same-origin',
      headers: program === null ? {} : { 'X-Program-Id': program },
    },
    exchanges: [
      freshExchange,
      mapExchange({
        onError(error) {
          if (error.response?.status === 401) onSignedOut()
        },
      }),
      fetchExchange,
    ],
  })
