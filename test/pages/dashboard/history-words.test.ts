import { isEnumType } from 'graphql'
import { describe, expect, it } from 'vitest'
import { ChangeSubject } from '../../../src/generated/prisma/enums.ts'
import { kindsOf } from '../../../src/modules/history/fields.ts'
import { aboutOf } from '../../../src/pages/dashboard/history/entries.tsx'
import { fieldWords, valueWords } from '../../../src/pages/dashboard/history/field-words.ts'
import { texts } from '../../../src/pages/dashboard/texts.ts'
import { publicSchema } from '../../../src/schema/schema.ts'

const { history, installation } = texts.settings

const valuesOf = (name: string): string[] => {
  const type = publicSchema.getType(name)
  if (!isEnumType(type)) throw new Error(`${name} is no enum.`)
  return type.getValues().map(({ name }) => name)
}

describe('the history has words for', () => {
  it.each([
    ['action', 'HistoryAction', history.actions],
    ['subject', 'HistorySubject', history.subjects],
    ['action in the installation', 'InstallationAction', installation.actions],
  ] as const)('every %s', (_name, enumeration, words) => {
    expect(Object.keys(words).sort()).toEqual(valuesOf(enumeration).sort())
  })

  it.each(Object.values(ChangeSubject))('every recorded field of the subject %s', (subject) => {
    const recorded = Object.keys(kindsOf(subject)).map((field) =>
      field === 'commissionBasisPoints' ? 'commissionPercent' : field,
    )
    const words = fieldWords[subject.toUpperCase() as keyof typeof fieldWords]
    expect(Object.keys(words).sort()).toEqual(recorded.sort())
  })

  it.each([
    ['state', 'AffiliateState'],
    ['state', 'CommissionState'],
    ['rewardType', 'RewardType'],
    ['selfReferrals', 'SelfReferralPolicy'],
    ['access', 'ApiKeyAccess'],
    ['profile', 'ApiKeyProfile'],
    ['words', 'ApiKeyWords'],
    ['role', 'MemberRole'],
    ['format', 'WebhookFormat'],
    ['disabledReason', 'WebhookDisabledReason'],
  ])('every value of the field %s, of the enum %s', (field, name) => {
    const values = valuesOf(name).map((value) => value.toLowerCase())
    expect(Object.keys(valueWords[field] ?? {})).toEqual(expect.arrayContaining(values))
  })
})

it('an entry has the amount that was recorded, and not what became of it later', () => {
  const entry = { subjectName: 'Ada Lee', subjectAmount: { cents: 2_000, currency: 'jpy' }, currency: null }
  const of = (changes: object[]) => aboutOf({ ...entry, changes } as never)
  expect(of([{ field: 'amountCents', from: null, to: '2469' }])).toBe('Ada Lee, ¥2,469')
  expect(of([{ field: 'amountCents', from: '2469', to: '2000' }])).toBe('Ada Lee, ¥2,000')
  expect(of([])).toBe('Ada Lee, ¥2,000')
})
