import socket
from typing import Annotated

import uvicorn
from fastapi import FastAPI, Query
from pydantic import BaseModel, ConfigDict, Field


class NewBook(BaseModel):
    model_config = ConfigDict(extra="forbid")
    title: Annotated[str, Field(min_length=1, max_length=200)]
    author: Annotated[str, Field(min_length=1, max_length=200)]
    year: Annotated[int, Field(ge=0, le=2100)]


class Book(NewBook):
    id: str


books = [
    Book(id=f"book-{index}", title=f"The book with the number {index}", author="Jane Austen", year=1813)
    for index in range(100)
]
app = FastAPI()


@app.get("/books")
async def list_books(limit: Annotated[int, Query(ge=1, le=100)] = 20) -> list[Book]:
    return books[:limit]


@app.post("/books", status_code=201)
async def create_book(book: NewBook) -> Book:
    return Book(id="book-new", **book.model_dump())


server = socket.socket()
server.bind(("127.0.0.1", 0))
server.listen()
print(f"The API listens on http://localhost:{server.getsockname()[1]}", flush=True)
uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[server])
