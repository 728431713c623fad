import { emailKey } from '../../kernel/email.ts'
import { tokenProposals } from '../affiliates/free-tokens.ts'
import type { Random } from './random.ts'

export type Person = { firstName: string; lastName: string; email: string; token: string }

const firstNames =
  'Ada Aisha Alejandro Amara Amélie Andre Anika Anjali Anton Beatriz Ben Camila Carlos Chiara Chloé Daniel Diego Elena Emeka Emma Esther Fatima Felix Femi Freya Gabriel Grace Hana Hassan Hugo Ines Isabel Ivan Jamal Jasmin Jonas Julia Kai Keiko Kofi Lars Laura Leila Lena Liam Lin Lucas Luna Maja Malik Marco Marta Mateo Maya Mei Mina Miguel Nadia Naomi Nia Nikhil Noah Nora Olivia Omar Oscar Paula Pedro Priya Rafael Rosa Ruben Sam Sanna Sara Sofia Sven Tara Tariq Theo Tomás Uma Vera Victor Wei Yara Yuki Yusuf Zara Zoë'.split(
    ' ',
  )
const lastNames =
  'Abebe Adeyemi Ahmed Almeida Andersen Bakker Banerjee Bauer Becker Bennett Bianchi Bianco Brown Carter Castillo Chen Cohen Costa Cruz Diallo Dubois Eriksson Evans Farah Fernandes Fischer Fontaine Fujita García Gomes Green Gupta Haddad Hansen Harris Hassan Hoffmann Hughes Ibrahim Ivanova Jansen Jensen Johansson Kapoor Keller Khan Kim Kowalski Kumar Lambert Larsen Lee Lewis Lima Lindberg Lopez Marino Martin Mbeki Mehta Meyer Moreau Morgan Mori Müller Nakamura Ndiaye Nguyen Novak Okafor Okonkwo Olsen Osei Park Patel Pereira Petrov Popescu Quinn Ramos Reyes Ricci Rossi Roux Sanchez Santos Sato Schmidt Schneider Sharma Silva Singh Suzuki Tanaka Taylor Torres Vargas Virtanen Wagner Walker Wang Weber Wilson Yamamoto Yilmaz Young Zhang'.split(
    ' ',
  )
/** Addresses under .example never receive mail. */
const mailHosts = ['mail', 'post', 'inbox', 'letters', 'fastpost'].map((host) => `${host}.example`)
const companies =
  'acorn atlas beacon birch bluebird bramble brightside canvas cedar cobalt copper coral daybreak driftwood ember fable fernway foxglove granite harbor heron hollow ironwood juniper kestrel lantern larkspur lighthouse lumen maple marlin meadow mosaic nimbus northwind oakline opal orchard outpost pebble pinecone quarry ripple riverbend saffron sandbar skylark sparrow sundial thicket tidewater timber umbra verdant wayfarer whistle willow zephyr'.split(
    ' ',
  )

export function createPeople(random: Random) {
  const taken = new Set<string>()
  const person = (hosts: readonly string[], isFree: (name: string) => boolean): Person => {
    for (;;) {
      const name = { firstName: random.pick(firstNames), lastName: random.pick(lastNames) }
      // The first proposal is the name alone, so it is deterministic; later ones are random.
      const token = tokenProposals({ ...name, email: '' }).next().value as string
      const email = `${token.replaceAll('-', '.')}@${random.pick(hosts)}`
      if (taken.has(emailKey(email)) || !isFree(token)) continue
      taken.add(emailKey(email))
      return { ...name, email, token }
    }
  }
  const affiliates = new Set<string>()
  return {
    /** Affiliates have unique names, so that each name can be a token. */
    affiliate: () => {
      const affiliate = person(mailHosts, (token) => !affiliates.has(token))
      affiliates.add(affiliate.token)
      return affiliate
    },
    customer: () =>
      person(
        companies.map((company) => `${company}.example`),
        () => true,
      ),
  }
}

export type People = ReturnType<typeof createPeople>
