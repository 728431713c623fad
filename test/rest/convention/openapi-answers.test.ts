import { describeAnswers } from '../openapi-answers.ts'

describeAnswers('superset')
