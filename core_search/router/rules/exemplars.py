"""Labelled examples for queries in which no rule finds a sign: of the world, or of a memory?"""

from __future__ import annotations

_WORLD = """
what is an atom
what is inflation in economics
what is machine learning
explain how rainbows form
why do cats purr
why is the ocean salty
how do airplanes fly
how does a car engine work
how does the immune system work
what causes earthquakes
when did the roman empire fall
what year was the moon landing
who was the first person in space
who is the president of the united states
who wrote Hamlet
who invented the light bulb
who sang Bohemian Rhapsody
where is Mount Everest
what is the capital of Japan
what's the population of India
how many continents are there
how many planets are in the solar system
how many grams are in an ounce
how far is the moon
how deep is the ocean
how long does it take to boil an egg
what does NASA stand for
what does the word serendipity mean
difference between a virus and a bacterium
difference between HTTP and HTTPS
is a whale a fish
is Pluto a planet
are bats blind
can dogs eat chocolate
convert 5 feet to meters
what's 20 percent of 80
square root of 2
what time is it in Tokyo
weather in London tomorrow
which language is spoken in Brazil
best movie of all time
name three primary colors
what currency is used in Switzerland
how to write a for loop in Java
how to center a div in CSS
what is a hash table
what is polymorphism in programming
how do I merge two branches in git
sort an array in javascript
write a short poem
write me a song about summer
tell me a story
tell me something funny
give me a recipe for pancakes
recommend a good book
play some music
set an alarm for 7
turn on the lights
say that again in simpler words
make the answer longer
rewrite this paragraph
what do you think about artificial intelligence
who are you
what can you do
can you help me
are you a robot
you are very smart
let's talk about something else
proofread the following text
difference between a process and a thread
explain recursion
what is a mutex
how many days are in a leap year
who discovered penicillin
how do vaccines work
what is the tallest building
how does a compiler work
when was the printing press invented
what does an economist do
how to tie a bow tie
what is the meaning of life
why is the sky blue
who won the last election in France
how are you feeling today
reword this sentence
which planet is the biggest
what is regular expression lookahead
how do transistors work
name the oceans
how do you say hello in Spanish
"""
_MEMORY = """
status of the database migration
auth rollout plan
linter version
where is the runbook
how does the deploy pipeline work
which queue replaced the old one
wifi password at the office
how the incident was handled
the new pricing model
design of the sign-in page
team offsite location
kids' school schedule
who is on call
who owns the billing service
where did the invoice go
what port does the service listen on
kitchen renovation costs
when is the dentist appointment
how long was the outage
what was the root cause
what did the contractor quote
what did the customer say about the release
who attended the standup
notes on onboarding
release checklist
feature flags in production
results of the blood test
training plan for the half marathon
flight booking details
mortgage interest rate
what time is pick-up at school
where do the spare keys hang
who reviewed the pull request
why was the launch delayed
how was the race
what was discussed about hiring
remaining budget
customer feedback on the pilot
retry logic in the notification service
error budget alerts
code owners of the repository
anything about allergies
the plan for the birthday dinner
what gift was bought
how did the interview go
which candidate got the offer
what changed in the review process
did the tests pass
is the audit finished
are the tickets booked
when does the lease end
how is the knee doing
how much did the trip cost
what did the doctor recommend
who called about the boiler
names of the new hires
deployment windows
incident timeline
api rate limits
data retention
what did the sign at the entrance say
what colour was the dress
which book did she read
what was the movie about
what did the letter say
what kind of cake was served
where did they go after the show
who gave the present
recipe with oats and honey
seeds for the balcony
boat trip with the neighbours
paint colours for the hallway
soup without onions
"""
# Questions and chores that anybody could ask anybody.
WORLD = tuple(_WORLD.strip().splitlines())
# Questions that only this owner's notes can answer, though they name nobody.
MEMORY = tuple(_MEMORY.strip().splitlines())
